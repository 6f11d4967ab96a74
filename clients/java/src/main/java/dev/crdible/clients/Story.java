package dev.crdible.clients;

import static dev.crdible.clients.Transcript.at;
import static dev.crdible.clients.Transcript.refused;
import static dev.crdible.clients.Transcript.writeText;
import static dev.crdible.clients.Transcript.step;
import static dev.crdible.clients.Transcript.write;
import static dev.crdible.clients.Transcript.until;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the story with fabric8's kubernetes-client: {@code Story KUBECONFIG DEFINITION}. */
public final class Story {
    static final String GROUP = "clients.crdible.dev";
    static final String NAME = "widgets." + GROUP;
    static final String NAMESPACE = "story";

    private final KubernetesClient client;

    private Story(KubernetesClient client) {
        this.client = client;
    }

    /** Runs the story; a response that it cannot continue with is an exception. */
    public static void main(String[] arguments) throws Exception {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        // Retries would hide the responses of the server.
        config.setRequestRetryBackoffLimit(0);
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            Story story = new Story(client);
            story.createDefinition(Path.of(arguments[1]));
            story.discovery();
            story.objects();
            story.changes();
            story.lists();
            watches(config);
            story.deleteAll();
        }
        // Do not wait for the client's threads.
        System.exit(0);
    }

    NonNamespaceOperation<GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            widgets() {
        return all("v1").inNamespace(NAMESPACE);
    }

    private MixedOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            all(String version) {
        return client.genericKubernetesResources(new ResourceDefinitionContext.Builder()
                .withGroup(GROUP)
                .withVersion(version)
                .withKind("Widget")
                .withPlural("widgets")
                .withNamespaced(true)
                .build());
    }

    /** The manifest of a widget. */
    static GenericKubernetesResource widget(String name, String color, Map<String, Object> more) {
        GenericKubernetesResource widget = new GenericKubernetesResource();
        widget.setApiVersion(GROUP + "/v1");
        widget.setKind("Widget");
        widget.setMetadata(new ObjectMetaBuilder().withName(name).build());
        Map<String, Object> spec = new HashMap<>(more);
        spec.put("color", color);
        widget.setAdditionalProperty("spec", spec);
        return widget;
    }

    private Resource<CustomResourceDefinition> definition() {
        return client.apiextensions().v1().customResourceDefinitions().withName(NAME);
    }

    private void createDefinition(Path path) throws IOException {
        step("namespace: create");
        write(client.namespaces()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create()
                .getStatus());

        step("definition: create");
        CustomResourceDefinition read;
        try (InputStream file = Files.newInputStream(path)) {
            read = client.apiextensions().v1().customResourceDefinitions().load(file).item();
        }
        CustomResourceDefinition manifest = read;
        client.resource(manifest).create();
        definition().waitUntilCondition(Story::established, 30, TimeUnit.SECONDS);
        write(definition().get());
        step("definition: create again");
        refused(409, () -> client.resource(manifest).create());
        step("definition: label");
        write(definition()
                .edit(old -> old.edit().editMetadata().addToLabels("edited", "yes").endMetadata().build())
                .getMetadata()
                .getLabels());
    }

    private static boolean established(CustomResourceDefinition definition) {
        return definition != null
                && definition.getStatus() != null
                && definition.getStatus().getConditions().stream()
                        .anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True"));
    }

    private void discovery() {
        step("discovery");
        // It follows the definition a little later.
        until("it is in discovery", () -> client.getApiGroup(GROUP) != null && client.getApiResources(GROUP + "/v1") != null);
        write(client.getApiGroup(GROUP));
        write(client.getApiResources(GROUP + "/v1"));
        writeText(client.supports(GROUP + "/v1", "Widget") + " " + client.supports(GROUP + "/v1", "Gizmo"));
        writeText(client.getKubernetesVersion().getMajor() + "." + client.getKubernetesVersion().getMinor());
    }

    private void objects() {
        step("create");
        GenericKubernetesResource anna = widget("anna", "red", Map.of("note", "first"));
        anna.getMetadata().setLabels(Map.of("shape", "round"));
        GenericKubernetesResource created = widgets().resource(anna).create();
        write(created);
        widgets().resource(widget("berta", "green", Map.of("weight", 1.5, "limit", "10%"))).create();
        widgets().resource(widget("carla", "blue", Map.of("limit", 7))).create();
        step("create: managed fields");
        writeText(Serialization.asJson(created.getMetadata().getManagedFields()));
        step("create: dry run");
        write(widgets().resource(widget("dora", "red", Map.of())).dryRun().create());
        step("create: again");
        refused(409, () -> widgets().resource(widget("anna", "red", Map.of())).create());
        step("create: invalid");
        refused(422, () -> widgets()
                .resource(widget("dora", "pink", Map.of("replicas", 10, "parts", List.of(Map.of("amount", 1)))))
                .create());
        step("create: unknown namespace");
        refused(404, () -> all("v1").inNamespace("none").resource(widget("dora", "red", Map.of())).create());
        step("create or update");
        write(widgets()
                .resource(widget("carla", "blue", Map.of("note", "again")))
                .createOr(existing -> existing.update()));
        step("get");
        write(widgets().withName("berta").get());
        writeText(widgets().withName("none").get());
        step("get: other version");
        write(all("v1beta1").inNamespace(NAMESPACE).withName("berta").get());
    }

    private void changes() {
        step("update");
        GenericKubernetesResource anna = widgets().withName("anna").get();
        GenericKubernetesResource stale = widgets().withName("anna").get();
        anna.setAdditionalProperty("spec", Map.of("color", "blue", "note", "second"));
        write(widgets().resource(anna).lockResourceVersion().update());
        step("update: stale");
        refused(409, () -> widgets().resource(stale).lockResourceVersion().update());
        step("edit");
        write(widgets().withName("anna").edit(old -> {
            @SuppressWarnings("unchecked")
            Map<String, Object> spec = (Map<String, Object>) old.getAdditionalProperties().get("spec");
            spec.put("settings", Map.of("gloss", "yes"));
            return old;
        }));
        step("patch: merge");
        write(widgets().withName("anna").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"note\":null}}"));
        step("patch: JSON");
        write(widgets()
                .withName("anna")
                .patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"add\",\"path\":\"/spec/replicas\",\"value\":2}]"));
        step("patch: strategic");
        refused(415, () ->
                widgets().withName("anna").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"spec\":{}}"));
        step("status");
        GenericKubernetesResource current = widgets().withName("anna").get();
        current.setAdditionalProperty("status", Map.of("replicas", 2, "selector", "shape=round"));
        write(widgets().resource(current).updateStatus());
        write(widgets()
                .withName("anna")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"replicas\":1}}"));
        step("scale");
        write(widgets().withName("anna").scale());
        writeText(at(widgets().withName("anna").scale(3).getAdditionalProperties(), "spec", "replicas"));
    }

    private static List<String> names(GenericKubernetesResourceList list) {
        return list.getItems().stream().map(item -> item.getMetadata().getName()).toList();
    }

    private void lists() {
        step("list");
        writeText(names(widgets().list()));
        writeText(names(all("v1").inAnyNamespace().list()));
        writeText(names(widgets().withLabel("shape", "round").list()));
        writeText(names(widgets().withoutLabel("shape").list()));
        writeText(names(widgets().withField("spec.color", "green").list()));
        step("list: unselectable field");
        refused(400, () -> widgets().withField("spec.replicas", "1").list());
        step("list: pages");
        String token = null;
        do {
            GenericKubernetesResourceList page = widgets()
                    .list(new ListOptionsBuilder().withLimit(1L).withContinue(token).build());
            token = page.getMetadata().getContinue();
            writeText(names(page) + " " + page.getMetadata().getRemainingItemCount());
        } while (token != null && !token.isEmpty());
    }

    /** Watches over WebSocket, which is the client's default, and over plain HTTP. */
    private static void watches(Config config) throws InterruptedException {
        for (String transport : List.of("WebSocket", "HTTP")) {
            config.setOnlyHttpWatches(transport.equals("HTTP"));
            for (WatchStep step : List.<WatchStep>of(Watching::watch, Watching::expired, Watching::informer)) {
                // Each has connections of its own: a watch that is closed closes its connection, even when the watch
                // has ended before and the client has given the connection to its next request.
                try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
                    step.run(new Watching(new Story(client).widgets(), transport));
                }
            }
        }
    }

    private interface WatchStep {
        void run(Watching watching) throws InterruptedException;
    }

    private void deleteAll() {
        step("delete");
        write(widgets().withName("berta").delete());
        writeText(widgets().withName("berta").delete());
        step("delete: finalizer");
        widgets().withName("carla").edit(old -> {
            old.getMetadata().setFinalizers(List.of(GROUP + "/hold"));
            return old;
        });
        widgets().withName("carla").delete();
        write(widgets().withName("carla").get());
        widgets().withName("carla").edit(old -> {
            old.getMetadata().setFinalizers(List.of());
            return old;
        });
        writeText(widgets().withName("carla").get());
        step("delete: all");
        widgets().delete();
        until("all objects are removed", () -> widgets().list().getItems().isEmpty());
        step("delete: definition");
        write(definition().delete());
        until("the definition is removed", () -> definition().get() == null);
    }
}
