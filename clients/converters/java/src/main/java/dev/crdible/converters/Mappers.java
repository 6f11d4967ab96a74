package dev.crdible.converters;

import dev.crdible.converters.Types.Limits;
import dev.crdible.converters.Types.Retention;
import dev.crdible.converters.Types.Setting;
import dev.crdible.converters.Types.Source;
import dev.crdible.converters.Types.V1;
import dev.crdible.converters.Types.V1Spec;
import dev.crdible.converters.Types.V1Status;
import dev.crdible.converters.Types.V1alpha1;
import dev.crdible.converters.Types.V1alpha1Spec;
import dev.crdible.converters.Types.V1alpha1Status;
import dev.crdible.converters.Types.V1beta1;
import dev.crdible.converters.Types.V1beta1Spec;
import io.javaoperatorsdk.webhook.conversion.Mapper;
import io.javaoperatorsdk.webhook.conversion.TargetVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The mappers of all versions to v1, the hub, and back. */
final class Mappers {
  private Mappers() {}

  /** Bugs that can be planted. */
  enum Bug {
    NONE,
    /** Numbers of 64 bits pass through double, as in a map that a JSON library made. */
    DOUBLE,
    /** Splitting an empty text gives one element, which is empty, too. */
    SPLIT
  }

  @TargetVersion("v1")
  static final class OfV1 implements Mapper<V1, V1> {
    @Override
    public V1 toHub(V1 resource) {
      return resource;
    }

    @Override
    public V1 fromHub(V1 hub) {
      return hub;
    }
  }

  @TargetVersion("v1beta1")
  static final class OfV1beta1 implements Mapper<V1beta1, V1> {
    @Override
    public V1 toHub(V1beta1 resource) {
      V1 hub = new V1();
      hub.setMetadata(resource.getMetadata());
      hub.setStatus(resource.getStatus());
      Annotations.Kept kept = Annotations.takeKept(hub.getMetadata());
      V1beta1Spec from = resource.getSpec();
      if (from == null) {
        return hub;
      }
      V1Spec spec = new V1Spec();
      spec.source = from.source;
      spec.cron = from.schedule;
      spec.targets = from.targets;
      spec.excludes = from.excludes;
      spec.timeout = from.timeout;
      spec.retention = from.retention;
      spec.limits = from.limits;
      spec.paused = from.suspend;
      spec.settings = from.settings;
      spec.priority = kept.priority;
      hub.setSpec(spec);
      return hub;
    }

    @Override
    public V1beta1 fromHub(V1 hub) {
      V1beta1 resource = new V1beta1();
      resource.setMetadata(hub.getMetadata());
      resource.setStatus(hub.getStatus());
      Annotations.takeKept(resource.getMetadata());
      V1Spec from = hub.getSpec();
      if (from == null) {
        return resource;
      }
      V1beta1Spec spec = new V1beta1Spec();
      spec.source = from.source;
      spec.schedule = from.cron;
      spec.targets = from.targets;
      spec.excludes = from.excludes;
      spec.timeout = from.timeout;
      spec.retention = from.retention;
      spec.limits = from.limits;
      spec.suspend = from.paused;
      spec.settings = from.settings;
      resource.setSpec(spec);
      Annotations.Kept kept = new Annotations.Kept();
      kept.priority = from.priority;
      Annotations.putKept(resource.getMetadata(), kept);
      return resource;
    }
  }

  @TargetVersion("v1alpha1")
  static final class OfV1alpha1 implements Mapper<V1alpha1, V1> {
    private static final Pattern WITH_PORT = Pattern.compile("(.*):([0-9]{1,9})", Pattern.DOTALL);
    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,18})s");

    private final Bug bug;

    OfV1alpha1(Bug bug) {
      this.bug = bug;
    }

    @Override
    public V1 toHub(V1alpha1 resource) {
      V1 hub = new V1();
      hub.setMetadata(resource.getMetadata());
      Annotations.Kept kept = Annotations.takeKept(hub.getMetadata());
      Annotations.takeOrder(hub.getMetadata());
      if (resource.getStatus() != null) {
        V1Status status = new V1Status();
        status.phase = "Idle".equals(resource.getStatus().state) ? "Waiting" : resource.getStatus().state;
        status.lastRun = resource.getStatus().lastRun;
        hub.setStatus(status);
      }
      V1alpha1Spec from = resource.getSpec();
      if (from == null) {
        return hub;
      }
      V1Spec spec = new V1Spec();
      if (from.source != null) {
        Matcher withPort = WITH_PORT.matcher(from.source);
        boolean hasPort = withPort.matches();
        spec.source = new Source();
        spec.source.host = hasPort ? withPort.group(1) : from.source;
        spec.source.port = hasPort ? Integer.valueOf(withPort.group(2)) : null;
      }
      spec.cron = from.schedule;
      if (from.target != null) {
        Stream<String> others = kept.targets == null ? Stream.empty() : kept.targets.stream();
        spec.targets = Stream.concat(Stream.of(from.target), others).toList();
      }
      if (from.excludes != null) {
        boolean isEmpty = from.excludes.isEmpty() && bug != Bug.SPLIT;
        spec.excludes = isEmpty ? List.of() : Arrays.asList(from.excludes.split(",", -1));
      }
      spec.timeout = from.timeoutSeconds == null ? null : from.timeoutSeconds + "s";
      if (from.keep != null) {
        spec.retention = new Retention();
        spec.retention.count = from.keep;
      }
      if (from.maxBytes != null || from.maxRate != null) {
        spec.limits = new Limits();
        spec.limits.bytes = from.maxBytes;
        spec.limits.rate = from.maxRate;
        if (bug == Bug.DOUBLE && from.maxBytes != null) {
          spec.limits.bytes = Math.round(from.maxBytes.doubleValue());
        }
      }
      spec.paused = from.suspend;
      if (from.settings != null) {
        spec.settings = new LinkedHashMap<>();
        from.settings.forEach(setting -> spec.settings.put(setting.name, setting.value));
        Annotations.putOrder(hub.getMetadata(), from.settings.stream().map(setting -> setting.name).toList());
      }
      spec.priority = kept.priority;
      hub.setSpec(spec);
      return hub;
    }

    @Override
    public V1alpha1 fromHub(V1 hub) {
      V1alpha1 resource = new V1alpha1();
      resource.setMetadata(hub.getMetadata());
      Annotations.takeKept(resource.getMetadata());
      List<String> order = Annotations.takeOrder(resource.getMetadata());
      if (hub.getStatus() != null) {
        V1alpha1Status status = new V1alpha1Status();
        status.state = "Waiting".equals(hub.getStatus().phase) ? "Idle" : hub.getStatus().phase;
        status.lastRun = hub.getStatus().lastRun;
        resource.setStatus(status);
      }
      V1Spec from = hub.getSpec();
      if (from == null) {
        return resource;
      }
      V1alpha1Spec spec = new V1alpha1Spec();
      if (from.source != null && from.source.host != null) {
        spec.source = from.source.port == null ? from.source.host : from.source.host + ":" + from.source.port;
      }
      spec.schedule = from.cron;
      Annotations.Kept kept = new Annotations.Kept();
      kept.priority = from.priority;
      if (from.targets != null && !from.targets.isEmpty()) {
        spec.target = from.targets.get(0);
        kept.targets = from.targets.size() == 1 ? null : from.targets.subList(1, from.targets.size());
      }
      spec.excludes = from.excludes == null ? null : String.join(",", from.excludes);
      if (from.timeout != null) {
        Matcher seconds = SECONDS.matcher(from.timeout);
        if (!seconds.matches()) {
          throw new IllegalArgumentException("spec.timeout is not a number of seconds: " + from.timeout);
        }
        spec.timeoutSeconds = Long.valueOf(seconds.group(1));
      }
      spec.keep = from.retention == null ? null : from.retention.count;
      spec.maxBytes = from.limits == null ? null : from.limits.bytes;
      spec.maxRate = from.limits == null ? null : from.limits.rate;
      spec.suspend = from.paused;
      spec.settings = from.settings == null ? null : sorted(from.settings, order);
      resource.setSpec(spec);
      Annotations.putKept(resource.getMetadata(), kept);
      return resource;
    }

    /** The settings as a list: those that the order names, as far as they are still there, then all others by name. */
    private static List<Setting> sorted(Map<String, String> settings, List<String> order) {
      Map<String, String> left = new TreeMap<>(settings);
      List<Setting> list = new ArrayList<>();
      Stream.concat(order.stream(), settings.keySet().stream().sorted()).filter(left::containsKey).forEach(name -> {
        Setting setting = new Setting();
        setting.name = name;
        setting.value = left.remove(name);
        list.add(setting);
      });
      return list;
    }
  }
}
