package dev.crdible.clients;

import static dev.crdible.clients.Transcript.at;
import static dev.crdible.clients.Transcript.refused;
import static dev.crdible.clients.Transcript.say;
import static dev.crdible.clients.Transcript.step;
import static dev.crdible.clients.Transcript.tell;
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

/** The story that fabric8's kubernetes-client tells of a server: {@code Story KUBECONFIG DEFINITION}. */
public final class Story {
    static final String GROUP = "clients.crdible.dev";
    static final String NAME = "widgets." + GROUP;
    static final String NAMESPACE = "story";

    private final KubernetesClient client;

    private Story(KubernetesClient client) {
        this.client = client;
    }

    /** Tells the story; an answer that it cannot go on with is an exception. */
    public static void main(String[] arguments) throws Exception {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        // A repeated request would hide what a server answers.
        config.setRequestRetryBackoffLimit(0);
        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
            Story story = new Story(client);
            story.definitionComes(Path.of(arguments[1]));
            story.discovery();
            story.objects();
            story.changes();
            story.lists();
            story.watches(config);
            story.allGoes();
        }
        // The client's threads have nothing more to say.
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

    /** A widget's manifest. */
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

    private void definitionComes(Path path) throws IOException {
        step("namespace: create");
        tell(client.namespaces()
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
        tell(definition().get());
        step("definition: again");
        refused(409, () -> client.resource(manifest).create());
        step("definition: label");
        tell(definition()
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
        tell(client.getApiGroup(GROUP));
        tell(client.getApiResources(GROUP + "/v1"));
        say(client.supports(GROUP + "/v1", "Widget") + " " + client.supports(GROUP + "/v1", "Gizmo"));
        say(client.getKubernetesVersion().getMajor() + "." + client.getKubernetesVersion().getMinor());
    }

    private void objects() {
        step("create");
        GenericKubernetesResource anna = widget("anna", "red", Map.of("note", "first"));
        anna.getMetadata().setLabels(Map.of("shape", "round"));
        GenericKubernetesResource made = widgets().resource(anna).create();
        tell(made);
        widgets().resource(widget("berta", "green", Map.of("weight", 1.5, "limit", "10%"))).create();
        widgets().resource(widget("carla", "blue", Map.of("limit", 7))).create();
        step("create: managed fields");
        say(Serialization.asJson(made.getMetadata().getManagedFields()));
        step("create: dry run");
        tell(widgets().resource(widget("dora", "red", Map.of())).dryRun().create());
        step("create: again");
        refused(409, () -> widgets().resource(widget("anna", "red", Map.of())).create());
        step("create: invalid");
        refused(422, () -> widgets()
                .resource(widget("dora", "pink", Map.of("replicas", 10, "parts", List.of(Map.of("amount", 1)))))
                .create());
        step("create: no such namespace");
        refused(404, () -> all("v1").inNamespace("none").resource(widget("dora", "red", Map.of())).create());
        step("create or update");
        tell(widgets()
                .resource(widget("carla", "blue", Map.of("note", "again")))
                .createOr(existing -> existing.update()));
        step("get");
        tell(widgets().withName("berta").get());
        say(widgets().withName("none").get());
        step("get: the other version");
        tell(all("v1beta1").inNamespace(NAMESPACE).withName("berta").get());
    }

    private void changes() {
        step("update");
        GenericKubernetesResource anna = widgets().withName("anna").get();
        GenericKubernetesResource stale = widgets().withName("anna").get();
        anna.setAdditionalProperty("spec", Map.of("color", "blue", "note", "second"));
        tell(widgets().resource(anna).lockResourceVersion().update());
        step("update: stale");
        refused(409, () -> widgets().resource(stale).lockResourceVersion().update());
        step("edit");
        tell(widgets().withName("anna").edit(old -> {
            @SuppressWarnings("unchecked")
            Map<String, Object> spec = (Map<String, Object>) old.getAdditionalProperties().get("spec");
            spec.put("settings", Map.of("gloss", "yes"));
            return old;
        }));
        step("patch: merge");
        tell(widgets().withName("anna").patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"note\":null}}"));
        step("patch: JSON");
        tell(widgets()
                .withName("anna")
                .patch(PatchContext.of(PatchType.JSON), "[{\"op\":\"add\",\"path\":\"/spec/replicas\",\"value\":2}]"));
        step("patch: strategic");
        refused(415, () ->
                widgets().withName("anna").patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"spec\":{}}"));
        step("status");
        GenericKubernetesResource current = widgets().withName("anna").get();
        current.setAdditionalProperty("status", Map.of("replicas", 2, "selector", "shape=round"));
        tell(widgets().resource(current).updateStatus());
        tell(widgets()
                .withName("anna")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"replicas\":1}}"));
        step("scale");
        tell(widgets().withName("anna").scale());
        say(at(widgets().withName("anna").scale(3).getAdditionalProperties(), "spec", "replicas"));
    }

    private static List<String> names(GenericKubernetesResourceList list) {
        return list.getItems().stream().map(item -> item.getMetadata().getName()).toList();
    }

    private void lists() {
        step("list");
        say(names(widgets().list()));
        say(names(all("v1").inAnyNamespace().list()));
        say(names(widgets().withLabel("shape", "round").list()));
        say(names(widgets().withoutLabel("shape").list()));
        say(names(widgets().withField("spec.color", "green").list()));
        step("list: a field that cannot be selected");
        refused(400, () -> widgets().withField("spec.replicas", "1").list());
        step("list: pages");
        String token = null;
        do {
            GenericKubernetesResourceList page = widgets()
                    .list(new ListOptionsBuilder().withLimit(1L).withContinue(token).build());
            token = page.getMetadata().getContinue();
            say(names(page) + " " + page.getMetadata().getRemainingItemCount());
        } while (token != null && !token.isEmpty());
    }

    /** By WebSocket, as the client watches if nothing is said, and by plain HTTP. */
    private void watches(Config config) throws InterruptedException {
        new Watching(widgets(), "WebSocket").tell();
        config.setOnlyHttpWatches(true);
        try (KubernetesClient other = new KubernetesClientBuilder().withConfig(config).build()) {
            new Watching(new Story(other).widgets(), "HTTP").tell();
        }
    }

    private void allGoes() {
        step("delete");
        tell(widgets().withName("berta").delete());
        say(widgets().withName("berta").delete());
        step("delete: finalizer");
        widgets().withName("carla").edit(old -> {
            old.getMetadata().setFinalizers(List.of(GROUP + "/hold"));
            return old;
        });
        widgets().withName("carla").delete();
        tell(widgets().withName("carla").get());
        widgets().withName("carla").edit(old -> {
            old.getMetadata().setFinalizers(List.of());
            return old;
        });
        say(widgets().withName("carla").get());
        step("delete: all");
        widgets().delete();
        until("all are gone", () -> widgets().list().getItems().isEmpty());
        step("delete: definition");
        tell(definition().delete());
        until("the definition is gone", () -> definition().get() == null);
    }
}
