//! The names that upstream's values have in Go, which a few of its messages show.

use std::any::Any;

use super::{PlainList, PlainMap, Value};

impl Value {
    /// The name of its type in Go. A list and a map that the host provides are those of Kubernetes.
    pub(crate) fn go_type(&self) -> String {
        let name = match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Duration(_) => "types.Duration",
            Self::Timestamp(_) => "types.Timestamp",
            Self::List(list) if (&**list as &dyn Any).is::<PlainList>() => "*types.baseList",
            Self::List(_) => "*common.unstructuredList",
            Self::Map(map) if (&**map as &dyn Any).is::<PlainMap>() => "*types.baseMap",
            Self::Map(_) => "*common.unstructuredMap",
            Self::Optional(_) => "*types.Optional",
            Self::Type(_) => "*types.Type",
            Self::Opaque(opaque) => {
                let name = opaque.type_name();
                let own = name.rsplit('.').next().unwrap_or(name);
                return format!("cel.{}", if own == "NamedFormat" { "Format" } else { own });
            }
        };
        name.to_owned()
    }
}
