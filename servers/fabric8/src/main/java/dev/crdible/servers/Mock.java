package dev.crdible.servers;

import io.fabric8.kubernetes.client.VersionInfo;
import io.fabric8.kubernetes.client.dsl.base.CustomResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;

/**
 * Starts the mock server of fabric8, which stores what it is sent, over plain HTTP on a free port of loopback. Prints
 * its URL, and runs until it is ended. The argument is its form; each form after {@code MIXED} adds something to the
 * one before it.
 */
public final class Mock {

  /** How the server is set up. */
  private enum Form {
    /** The dispatcher that stores objects, and nothing else: even /version is answered by a list. */
    BARE,
    /** As its JUnit extension sets it up: version 0.0, and no definitions in discovery. */
    MIXED,
    /** With a version. */
    VERSION,
    /** With definitions in discovery, as after the method expectCustomResource. */
    DISCOVERY,
    /** With dry runs that store nothing, which fabric8 does not have: what a maintainer might add first. */
    DRYRUN;

    boolean includes(Form other) {
      return compareTo(other) >= 0;
    }
  }

  /** Answers a dry run of a create with what was sent. */
  private static final class DryRuns extends KubernetesMixedDispatcher {
    DryRuns(Map<ServerRequest, Queue<ServerResponse>> expected, List<CustomResourceDefinitionContext> listed) {
      super(expected, listed);
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
      boolean isDryRun = request.getPath().contains("dryRun=All");
      if (request.method() == HttpMethod.POST && isDryRun) {
        return new MockResponse().setResponseCode(201).setBody(request.getUtf8Body());
      }
      return super.dispatch(request);
    }
  }

  private static final CustomResourceDefinitionContext DEFINITIONS =
      new CustomResourceDefinitionContext.Builder()
          .withGroup("apiextensions.k8s.io")
          .withVersion("v1")
          .withScope("Cluster")
          .withKind("CustomResourceDefinition")
          .withPlural("customresourcedefinitions")
          .build();

  private Mock() {}

  public static void main(String[] arguments) throws Exception {
    Form form = Form.valueOf(arguments[0].toUpperCase(Locale.ROOT));
    Map<ServerRequest, Queue<ServerResponse>> expected = new HashMap<>();
    List<CustomResourceDefinitionContext> listed = form.includes(Form.DISCOVERY) ? List.of(DEFINITIONS) : List.of();
    Dispatcher dispatcher =
        switch (form) {
          case BARE -> new KubernetesCrudDispatcher(listed);
          case MIXED, VERSION, DISCOVERY -> new KubernetesMixedDispatcher(expected, listed);
          case DRYRUN -> new DryRuns(expected, listed);
        };
    Context context = new Context(Serialization.jsonMapper());
    KubernetesMockServer server =
        new KubernetesMockServer(context, new MockWebServer(), expected, dispatcher, false);
    if (form.includes(Form.VERSION)) {
      server.setVersionInfo(
          new VersionInfo.Builder().withMajor("1").withMinor("36").withGitVersion("v1.36.0").build());
    }
    server.start(InetAddress.getLoopbackAddress(), 0);
    System.out.println("http://127.0.0.1:" + server.getPort());
    System.out.flush();
    Thread.sleep(Long.MAX_VALUE);
  }
}
