//! Signatures, as the tables write them.

use crate::types::Type;
use crate::value::{Evaluated, Value};

/// The types of a call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signature {
    /// Whether the first argument is the receiver of a method.
    pub(crate) is_method: bool,
    /// The types of the arguments; the receiver is the first of them.
    pub(crate) arguments: Vec<Type>,
    /// The type of the result.
    pub(crate) result: Type,
}

impl Signature {
    /// Reads `(T, U) -> R` of a function, or `T.(U) -> R` of a method.
    ///
    /// # Panics
    /// If it is not written like this: the tables are part of this crate, and a test reads all of them.
    pub(super) fn read(text: &'static str) -> Self {
        let (call, result) = text.split_once(" -> ").expect("a result");
        let open = parenthesis_of_arguments(call);
        let receiver = call[..open].strip_suffix('.').map(read);
        let is_method = receiver.is_some();
        let arguments = parts(&call[open + 1..call.len() - 1]).into_iter().map(read);
        Self { is_method, arguments: receiver.into_iter().chain(arguments).collect(), result: read(result) }
    }

    /// Whether values are of these types, as far as that is seen at run time.
    pub(crate) fn takes(&self, values: &[Value]) -> bool {
        self.arguments.len() == values.len()
            && self.arguments.iter().zip(values).all(|(wanted, value)| is_of(wanted, value))
    }
}

/// Whether a value is of a type: of lists and maps, the first entry is looked at.
fn is_of(wanted: &Type, value: &Value) -> bool {
    match (wanted, value) {
        (wanted, _) if is_any(wanted) => true,
        (Type::List(element), Value::List(list)) => list.size() == 0 || is_of_evaluated(element, &list.get(0)),
        // No table has another one.
        (Type::Map(types), Value::Map(_)) if matches!(**types, (Type::Parameter(_), Type::Parameter(_))) => true,
        (Type::Map(types), Value::Map(map)) => map.keys().first().is_none_or(|key| {
            is_of(&types.0, key) && map.get(key).is_some_and(|value| is_of_evaluated(&types.1, &value))
        }),
        (Type::Optional(inner), Value::Optional(value)) => {
            value.as_ref().is_none_or(|value| is_of(inner, value.value()))
        }
        (wanted, value) => *super::runtime_name(wanted) == *value.type_name(),
    }
}

/// The same of what may have no value: an error is of any type only.
fn is_of_evaluated(wanted: &Type, value: &Evaluated) -> bool {
    value.as_ref().map_or_else(|_| is_any(wanted), |value| is_of(wanted, value))
}

fn is_any(wanted: &Type) -> bool {
    matches!(wanted, Type::Dyn | Type::Any | Type::Parameter(_))
}

/// Where the list of arguments begins: the receiver may have parentheses, too.
fn parenthesis_of_arguments(call: &str) -> usize {
    let mut depth = 0;
    for (position, byte) in call.bytes().enumerate().rev() {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return position;
        }
    }
    panic!("no arguments in {call}")
}

/// The parts between commas that are not inside parentheses.
fn parts(list: &'static str) -> Vec<&'static str> {
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (position, byte) in list.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&list[start..position]);
                start = position + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn read(text: &'static str) -> Type {
    if let Some((name, inner)) = text.split_once('(') {
        let inner: Vec<Type> = parts(&inner[..inner.len() - 1]).into_iter().map(read).collect();
        return match (name, &inner[..]) {
            ("list", [element]) => Type::list(element.clone()),
            ("map", [key, value]) => Type::map(key.clone(), value.clone()),
            ("optional", [value]) => Type::optional(value.clone()),
            ("type", [of]) => of.clone().of(),
            _ => panic!("no type: {text}"),
        };
    }
    match text {
        "dyn" => Type::Dyn,
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "duration" => Type::Duration,
        "timestamp" => Type::Timestamp,
        name if name.starts_with("net.") => Type::Opaque(name.into()),
        name if name.starts_with("kubernetes.") => Type::object(name),
        name if name.len() == 1 => Type::Parameter(name),
        _ => panic!("no type: {text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::Signature;
    use crate::types::Type;

    #[test]
    fn functions_and_methods() {
        let function = Signature::read("(map(K, V), K) -> optional(V)");
        let (key, value) = (Type::Parameter("K"), Type::Parameter("V"));
        assert!(!function.is_method);
        assert_eq!(function.arguments, [Type::map(key.clone(), value.clone()), key]);
        assert_eq!(function.result, Type::optional(value));
        let method = Signature::read("list(string).() -> string");
        assert!(method.is_method);
        assert_eq!((&method.arguments[..], method.result), (&[Type::list(Type::String)][..], Type::String));
    }
}
