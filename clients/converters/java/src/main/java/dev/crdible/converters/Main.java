package dev.crdible.converters;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.ConversionReview;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.webhook.conversion.Commons;
import io.javaoperatorsdk.webhook.conversion.ConversionController;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Locale;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A conversion webhook with the Java operator framework for webhooks and the JDK's HTTPS server: CERTIFICATES [--bug NAME]
 *
 * <p>CERTIFICATES is a folder with tls.crt and tls.key. The first line of stdout is the URL.
 */
public final class Main {
  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private final ConversionController controller = new ConversionController();

  private Main(Mappers.Bug bug) {
    controller.registerMapper(new Mappers.OfV1());
    controller.registerMapper(new Mappers.OfV1beta1());
    controller.registerMapper(new Mappers.OfV1alpha1(bug));
  }

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    boolean hasBug = arguments.length == 3 && arguments[1].equals("--bug");
    if (arguments.length != 1 && !hasBug) {
      System.err.println("usage: converter CERTIFICATES [--bug NAME]");
      System.exit(2);
    }
    // The answer is two writes, head and body. With Nagle's algorithm the second would wait for the client.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    Mappers.Bug bug = hasBug ? Mappers.Bug.valueOf(arguments[2].toUpperCase(Locale.ROOT)) : Mappers.Bug.NONE;
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(Path.of(arguments[0]))));
    server.createContext("/convert", new Main(bug)::handle);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    System.out.println("https://127.0.0.1:" + server.getAddress().getPort() + "/convert");
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      ConversionReview review;
      try {
        review = serialization.unmarshal(new ByteArrayInputStream(body), ConversionReview.class);
        if (review.getRequest() == null) {
          throw new IllegalArgumentException("no ConversionReview: it has no request");
        }
      } catch (RuntimeException unreadable) {
        answer(exchange, 400, serialization.asJson(unreadable.getMessage()));
        return;
      }
      answer(exchange, 200, serialization.asJson(convert(review)));
    }
  }

  /** The controller tells versions only, and lets exceptions of mappers pass. */
  private ConversionReview convert(ConversionReview review) {
    String desired = review.getRequest().getDesiredAPIVersion();
    try {
      if (!desired.startsWith(Types.GROUP + "/")) {
        throw new IllegalArgumentException("unknown group: " + desired);
      }
      return controller.handle(review);
    } catch (RuntimeException refused) {
      return Commons.createErrorResponse(refused, review);
    }
  }

  private static void answer(HttpExchange exchange, int code, String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static SSLContext tls(Path folder) throws IOException, GeneralSecurityException {
    Certificate certificate;
    try (var file = Files.newInputStream(folder.resolve("tls.crt"))) {
      certificate = CertificateFactory.getInstance("X.509").generateCertificate(file);
    }
    String key = Files.readString(folder.resolve("tls.key")).replaceAll("-----[A-Z ]+-----", "");
    var encoded = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key));
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    char[] password = new char[0];
    String algorithm = certificate.getPublicKey().getAlgorithm();
    store.setKeyEntry("tls", KeyFactory.getInstance(algorithm).generatePrivate(encoded), password, new Certificate[] {certificate});
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }
}
