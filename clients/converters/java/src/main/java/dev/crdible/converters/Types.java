package dev.crdible.converters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;

/**
 * The types of all versions. Whatever may be absent is a reference, and only null is left out: NON_EMPTY would lose empty lists and texts,
 * and int would make zero of what is absent. META-INF/services names the types, so that reviews are read with them.
 */
public final class Types {
  static final String GROUP = "converters.crdible.dev";

  private Types() {}

  @Group(GROUP)
  @Version("v1")
  @Kind("Backup")
  public static class V1 extends CustomResource<V1Spec, V1Status> {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class V1Spec {
    public Source source;
    public String cron;
    public List<String> targets;
    public List<String> excludes;
    public String timeout;
    public Retention retention;
    public Limits limits;
    public Boolean paused;
    public Map<String, String> settings;
    public Integer priority;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class Source {
    public String host;
    public Integer port;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class Retention {
    public Integer count;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class Limits {
    public Long bytes;
    public Double rate;
  }

  /** The time is a text, because a type for times would write some of them in another way. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class V1Status {
    public String phase;
    public String lastRun;
  }

  @Group(GROUP)
  @Version("v1beta1")
  @Kind("Backup")
  public static class V1beta1 extends CustomResource<V1beta1Spec, V1Status> {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class V1beta1Spec {
    public Source source;
    public String schedule;
    public List<String> targets;
    public List<String> excludes;
    public String timeout;
    public Retention retention;
    public Limits limits;
    public Boolean suspend;
    public Map<String, String> settings;
  }

  @Group(GROUP)
  @Version("v1alpha1")
  @Kind("Backup")
  public static class V1alpha1 extends CustomResource<V1alpha1Spec, V1alpha1Status> {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class V1alpha1Spec {
    public String source;
    public String schedule;
    public String target;
    public String excludes;
    public Long timeoutSeconds;
    public Integer keep;
    public Long maxBytes;
    public Double maxRate;
    public Boolean suspend;
    public List<Setting> settings;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class Setting {
    public String name;
    public String value;
  }

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public static class V1alpha1Status {
    public String state;
    public String lastRun;
  }
}
