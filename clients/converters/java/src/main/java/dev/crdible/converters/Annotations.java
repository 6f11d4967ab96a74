package dev.crdible.converters;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a version has no place for is kept in annotations. */
final class Annotations {
  private static final String KEPT = Types.GROUP + "/kept";
  private static final String ORDER = Types.GROUP + "/settings-order";
  private static final ObjectMapper JSON = new ObjectMapper();

  private Annotations() {}

  /** What older versions have no place for: the targets after the first, and the priority. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class Kept {
    public List<String> targets;
    public Integer priority;
  }

  static Kept takeKept(ObjectMeta metadata) {
    return take(metadata, KEPT, new TypeReference<Kept>() {}).orElseGet(Kept::new);
  }

  static void putKept(ObjectMeta metadata, Kept kept) {
    if (kept.targets != null || kept.priority != null) {
      put(metadata, KEPT, kept);
    }
  }

  /** The names of settings in the order of v1alpha1. */
  static List<String> takeOrder(ObjectMeta metadata) {
    return take(metadata, ORDER, new TypeReference<List<String>>() {}).orElse(List.of());
  }

  /** Nothing is kept of an order that is that of the names. */
  static void putOrder(ObjectMeta metadata, List<String> names) {
    if (!names.equals(names.stream().sorted().toList())) {
      put(metadata, ORDER, names);
    }
  }

  /** Removes an annotation. Any user who may write an object may write it; an unreadable one counts as none. */
  private static <T> Optional<T> take(ObjectMeta metadata, String key, TypeReference<T> type) {
    Map<String, String> annotations = copy(metadata);
    String text = annotations.remove(key);
    if (text == null) {
      return Optional.empty();
    }
    metadata.setAnnotations(annotations);
    try {
      return Optional.ofNullable(JSON.readValue(text, type));
    } catch (JsonProcessingException unreadable) {
      return Optional.empty();
    }
  }

  private static void put(ObjectMeta metadata, String key, Object content) {
    Map<String, String> annotations = copy(metadata);
    try {
      annotations.put(key, JSON.writeValueAsString(content));
    } catch (JsonProcessingException impossible) {
      throw new UncheckedIOException(impossible);
    }
    metadata.setAnnotations(annotations);
  }

  private static Map<String, String> copy(ObjectMeta metadata) {
    return metadata.getAnnotations() == null ? new LinkedHashMap<>() : new LinkedHashMap<>(metadata.getAnnotations());
  }
}
