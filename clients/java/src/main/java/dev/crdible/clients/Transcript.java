package dev.crdible.clients;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Writes the transcript of what the client saw. */
final class Transcript {
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();
    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(SerializationFeature.INDENT_OUTPUT);

    private Transcript() {}

    /** Starts a step. */
    static void step(String title) {
        System.out.println("== " + title);
    }

    /** Writes a text. */
    static void writeText(Object text) {
        System.out.println(text);
    }

    /** Writes an object or a model without managed fields, which have their own step. */
    static void write(Object what) {
        try {
            JsonNode tree = MAPPER.readTree(SERIALIZATION.asJson(what));
            if (tree.path("metadata") instanceof ObjectNode metadata) {
                metadata.remove("managedFields");
            }
            System.out.println(MAPPER.writeValueAsString(MAPPER.treeToValue(tree, Object.class)));
        } catch (com.fasterxml.jackson.core.JsonProcessingException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    /** Makes a call that must fail with this code, and writes the Status. */
    static void refused(int code, Runnable call) {
        try {
            call.run();
        } catch (KubernetesClientException refusal) {
            if (refusal.getCode() != code) {
                throw refusal;
            }
            write(inOrder(refusal.getStatus()));
            return;
        }
        throw new IllegalStateException("not refused with " + code);
    }

    /** Sorts causes, which have no order (spec/11), and removes the message that joins them. */
    private static Status inOrder(Status status) {
        if (status.getDetails() == null || status.getDetails().getCauses().isEmpty()) {
            return status;
        }
        List<StatusCause> causes = status.getDetails().getCauses().stream()
                .sorted(Comparator.comparing(StatusCause::getField).thenComparing(StatusCause::getMessage))
                .toList();
        return status.edit()
                .withMessage(null)
                .editDetails()
                .withCauses(causes)
                .endDetails()
                .build();
    }

    /** Waits until a condition holds. */
    static void until(String what, BooleanSupplier holds) {
        Instant deadline = Instant.now().plus(Duration.ofSeconds(30));
        while (!holds.getAsBoolean()) {
            if (Instant.now().isAfter(deadline)) {
                throw new IllegalStateException("did not happen in time: " + what);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }

    /** The nested member at a path; null if it is missing. */
    static Object at(Map<String, Object> object, String... path) {
        Object here = object;
        for (String key : path) {
            here = here instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return here;
    }
}
