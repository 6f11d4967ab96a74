package dev.crdible.clients;

import static dev.crdible.clients.Transcript.at;
import static dev.crdible.clients.Transcript.writeText;
import static dev.crdible.clients.Transcript.step;
import static dev.crdible.clients.Transcript.until;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The part of the story about watches: a plain watch, and an informer. Afterwards the objects are as before, except for notes. */
final class Watching {
    private final NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            widgets;
    private final String transport;
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    Watching(
            NonNamespaceOperation<
                            GenericKubernetesResource,
                            GenericKubernetesResourceList,
                            Resource<GenericKubernetesResource>>
                    widgets,
            String transport) {
        this.widgets = widgets;
        this.transport = transport;
    }

    private static String line(String event, GenericKubernetesResource object) {
        return "%s %s %d %s".formatted(
                event,
                object.getMetadata().getName(),
                object.getMetadata().getGeneration(),
                at(object.getAdditionalProperties(), "spec", "note"));
    }

    private void note(String name, String text) {
        widgets.withName(name).patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"note\":\"" + text + "\"}}");
    }

    private void label(String name, Map<String, String> labels) {
        widgets.withName(name).edit(old -> {
            old.getMetadata().setLabels(labels);
            return old;
        });
    }

    /** Writes the next events; fails if one does not arrive in time. */
    private void writeEvents(int count) throws InterruptedException {
        for (int seen = 0; seen < count; seen++) {
            String event = events.poll(30, TimeUnit.SECONDS);
            if (event == null) {
                throw new IllegalStateException("only " + seen + " of " + count + " events");
            }
            writeText(event);
        }
    }

    /** Opens a watch. Its events and the way it ends are written by the next writeEvents. */
    private Watch watchSince(String version) {
        return widgets.withResourceVersion(version).watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, GenericKubernetesResource object) {
                events.add(line(action.name(), object));
            }

            @Override
            public void onClose(WatcherException cause) {
                events.add("expired: " + cause.isHttpGone());
            }
        });
    }

    void watch() throws InterruptedException {
        step("watch by " + transport);
        String since = widgets.list().getMetadata().getResourceVersion();
        note("berta", transport);
        try (Watch ignored = watchSince(since)) {
            note("carla", transport + " too");
            writeEvents(2);
        }
    }

    void expired() throws InterruptedException {
        step("watch by " + transport + ": from an expired version");
        try (Watch ignored = watchSince("1")) {
            writeEvents(1);
        }
    }

    void informer() throws InterruptedException {
        step("informer by " + transport);
        SharedIndexInformer<GenericKubernetesResource> informer = widgets.withLabel("shape", "round")
                .inform(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(GenericKubernetesResource object) {
                        events.add(line("add", object));
                    }

                    @Override
                    public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
                        events.add(line("update", after));
                    }

                    @Override
                    public void onDelete(GenericKubernetesResource object, boolean missed) {
                        events.add(line(missed ? "delete (missed)" : "delete", object));
                    }
                });
        until("the informer has synced", informer::hasSynced);
        writeEvents(1);
        GenericKubernetesResource emil = Story.widget("emil", "red", Map.of());
        emil.getMetadata().setLabels(Map.of("shape", "round"));
        widgets.resource(emil).create();
        note("emil", transport);
        // An object that leaves the selection is a delete, one that enters it an add.
        label("emil", Map.of("shape", "square"));
        Map<String, String> before = widgets.withName("berta").get().getMetadata().getLabels();
        label("berta", Map.of("shape", "round"));
        writeEvents(4);
        writeText(informer.getStore().list().size());
        informer.stop();
        label("berta", before);
        widgets.withName("emil").delete();
    }
}
