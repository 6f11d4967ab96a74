package dev.crdible.clients;

import static dev.crdible.clients.Transcript.at;
import static dev.crdible.clients.Transcript.say;
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

/** The part of the story that is about watches: one by itself, and an informer. It leaves things as they were, but for notes. */
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

    void tell() throws InterruptedException {
        watch();
        informer();
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

    /** Says the next events as they come; one that does not come is an error. */
    private void saySeen(int count) throws InterruptedException {
        for (int seen = 0; seen < count; seen++) {
            String event = events.poll(30, TimeUnit.SECONDS);
            if (event == null) {
                throw new IllegalStateException("only " + seen + " of " + count + " events");
            }
            say(event);
        }
    }

    /** Begins a watch; its events, and how it ends, are what the next say is about. */
    private Watch watchSince(String version) {
        return widgets.withResourceVersion(version).watch(new Watcher<>() {
            @Override
            public void eventReceived(Action action, GenericKubernetesResource object) {
                events.add(line(action.name(), object));
            }

            @Override
            public void onClose(WatcherException cause) {
                events.add("gone: " + cause.isHttpGone());
            }
        });
    }

    private void watch() throws InterruptedException {
        step("watch by " + transport);
        String since = widgets.list().getMetadata().getResourceVersion();
        note("berta", transport);
        try (Watch ignored = watchSince(since)) {
            note("carla", transport + " too");
            saySeen(2);
        }
        step("watch by " + transport + ": from a version that is gone");
        try (Watch ignored = watchSince("1")) {
            saySeen(1);
        }
    }

    private void informer() throws InterruptedException {
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
                    public void onDelete(GenericKubernetesResource object, boolean foundOutLate) {
                        events.add(line(foundOutLate ? "delete (found out late)" : "delete", object));
                    }
                });
        until("the informer has synced", informer::hasSynced);
        saySeen(1);
        GenericKubernetesResource emil = Story.widget("emil", "red", Map.of());
        emil.getMetadata().setLabels(Map.of("shape", "round"));
        widgets.resource(emil).create();
        note("emil", transport);
        // Out of the selection is a delete, into it an add.
        label("emil", Map.of("shape", "square"));
        Map<String, String> before = widgets.withName("berta").get().getMetadata().getLabels();
        label("berta", Map.of("shape", "round"));
        saySeen(4);
        say(informer.getStore().list().size());
        informer.stop();
        label("berta", before);
        widgets.withName("emil").delete();
    }
}
