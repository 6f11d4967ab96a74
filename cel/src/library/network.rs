//! URLs, addresses and networks.

use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

use crdible_text::{fault_of_address, quoted};

use super::arguments::{opaque, string, unconvertible};
use super::{Overload, address, row};
use crate::value::{Evaluated, EvaluationError, Opaque, Value};

pub(super) const OVERLOADS: &[Overload] = &[
    row("url", "string_to_url", "(string) -> kubernetes.URL", address::url),
    row("isURL", "is_url_string", "(string) -> bool", address::is_url),
    row("getScheme", "url_get_scheme", "kubernetes.URL.() -> string", address::scheme),
    row("getHost", "url_get_host", "kubernetes.URL.() -> string", address::host),
    row("getHostname", "url_get_hostname", "kubernetes.URL.() -> string", address::hostname),
    row("getPort", "url_get_port", "kubernetes.URL.() -> string", address::port),
    row("getEscapedPath", "url_get_escaped_path", "kubernetes.URL.() -> string", address::escaped_path),
    row("getQuery", "url_get_query", "kubernetes.URL.() -> map(string, list(string))", address::query),
    row("ip", "string_to_ip", "(string) -> net.IP", ip),
    row("isIP", "is_ip", "(string) -> bool", is_ip),
    row("ip.isCanonical", "ip_is_canonical", "(string) -> bool", ip_is_canonical),
    row("family", "ip_family", "net.IP.() -> int", family),
    row("isUnspecified", "ip_is_unspecified", "net.IP.() -> bool", is_unspecified),
    row("isLoopback", "ip_is_loopback", "net.IP.() -> bool", is_loopback),
    row("isLinkLocalMulticast", "ip_is_link_local_multicast", "net.IP.() -> bool", is_link_local_multicast),
    row("isLinkLocalUnicast", "ip_is_link_local_unicast", "net.IP.() -> bool", is_link_local_unicast),
    row("isGlobalUnicast", "ip_is_global_unicast", "net.IP.() -> bool", is_global_unicast),
    row("cidr", "string_to_cidr", "(string) -> net.CIDR", cidr),
    row("isCIDR", "is_cidr", "(string) -> bool", is_cidr),
    row("containsIP", "cidr_contains_ip_string", "net.CIDR.(string) -> bool", contains_ip),
    row("containsIP", "cidr_contains_ip_ip", "net.CIDR.(net.IP) -> bool", contains_ip),
    row("containsCIDR", "cidr_contains_cidr_string", "net.CIDR.(string) -> bool", contains_cidr),
    row("containsCIDR", "cidr_contains_cidr", "net.CIDR.(net.CIDR) -> bool", contains_cidr),
    row("ip", "cidr_ip", "net.CIDR.() -> net.IP", cidr_ip),
    row("prefixLength", "cidr_prefix_length", "net.CIDR.() -> int", prefix_length),
    row("masked", "cidr_masked", "net.CIDR.() -> net.CIDR", masked),
];

/// An address.
#[derive(Debug)]
struct Ip(IpAddr);

/// An address and how many of its bits name the network.
#[derive(Debug)]
struct Cidr(IpAddr, u8);

impl Opaque for Ip {
    fn type_name(&self) -> &'static str {
        "net.IP"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        address_of(other).map(|other| self.0 == other)
    }

    fn size(&self) -> Option<usize> {
        Some(if self.0.is_ipv4() { 4 } else { 16 })
    }

    fn print(&self) -> String {
        self.0.to_string()
    }

    fn unwrapped(&self) -> Option<Evaluated> {
        unconvertible("netip.Addr", self)
    }
}

impl Opaque for Cidr {
    fn type_name(&self) -> &'static str {
        "net.CIDR"
    }

    fn is_equal(&self, other: &Value) -> Result<bool, EvaluationError> {
        opaque::<Self>(other).map(|other| (self.0, self.1) == (other.0, other.1))
    }

    fn size(&self) -> Option<usize> {
        Some(usize::from(self.1).div_ceil(8))
    }

    fn print(&self) -> String {
        format!("{}/{}", self.0, self.1)
    }

    fn unwrapped(&self) -> Option<Evaluated> {
        unconvertible("netip.Prefix", self)
    }
}

impl Cidr {
    /// The network that the address belongs to: the other bits are 0.
    fn masked(&self) -> Self {
        Self(masked_to(self.0, self.1), self.1)
    }

    fn contains(&self, address: IpAddr) -> bool {
        address.is_ipv4() == self.0.is_ipv4() && masked_to(address, self.1) == masked_to(self.0, self.1)
    }
}

/// An address with only its first bits.
fn masked_to(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(address) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            IpAddr::V4((address.to_bits() & mask).into())
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
            IpAddr::V6((address.to_bits() & mask).into())
        }
    }
}

/// Reads an address, as rules may name it.
fn read_address(text: &str) -> Result<IpAddr, EvaluationError> {
    let zoned = text.split_once('%').filter(|(_, zone)| !zone.is_empty());
    if zoned.is_some_and(|(address, _)| address.parse::<Ipv6Addr>().is_ok()) {
        return Err(EvaluationError::new(format!("IP address {} with zone value is not allowed", quoted(text))));
    }
    match text.parse::<IpAddr>() {
        Ok(IpAddr::V6(address)) if address.to_ipv4_mapped().is_some() => {
            Err(EvaluationError::new(format!("IPv4-mapped IPv6 address {} is not allowed", quoted(text))))
        }
        Ok(address) => Ok(address),
        Err(_) => {
            let during = "parse error during conversion from string";
            let why = fault_of_address(text).unwrap_or_default();
            Err(EvaluationError::new(format!("IP Address {} {during}: {why}", quoted(text))))
        }
    }
}

/// Reads `10.0.0.0/8`; the other bits need not be 0.
fn read_network(text: &str) -> Result<Cidr, EvaluationError> {
    let during = "network address parse error during conversion from string";
    let wrong =
        |why: &str| EvaluationError::new(format!("{during}: {during}: netip.ParsePrefix({}): {why}", quoted(text)));
    let (address, bits) = text.rsplit_once('/').ok_or_else(|| wrong("no '/'"))?;
    if let Some(why) = fault_of_address(address) {
        return Err(wrong(&why));
    }
    let address: IpAddr = address.parse().map_err(|_| wrong("IPv6 zones cannot be present in a prefix"))?;
    let is_number = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || (bits.len() > 1 && bits.starts_with('0')) {
        return Err(wrong(&format!("bad bits after slash: {}", quoted(bits))));
    }
    let most = if address.is_ipv4() { 32 } else { 128 };
    let bits = bits.parse().ok().filter(|bits| *bits <= most).ok_or_else(|| wrong("prefix length out of range"))?;
    if matches!(address, IpAddr::V6(address) if address.to_ipv4_mapped().is_some()) {
        let mapped = format!("{during}: IPv4-mapped IPv6 address {} is not allowed", quoted(text));
        return Err(EvaluationError::new(mapped));
    }
    Ok(Cidr(address, bits))
}

fn address_of(value: &Value) -> Result<IpAddr, EvaluationError> {
    opaque::<Ip>(value).map(|ip| ip.0)
}

fn ip(arguments: &[Value]) -> Evaluated {
    Ok(Value::Opaque(Arc::new(Ip(read_address(string(&arguments[0])?)?))))
}

fn is_ip(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(read_address(string(&arguments[0])?).is_ok()))
}

fn ip_is_canonical(arguments: &[Value]) -> Evaluated {
    let text = string(&arguments[0])?;
    Ok(Value::Bool(read_address(text)?.to_string() == **text))
}

fn family(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(if address_of(&arguments[0])?.is_ipv4() { 4 } else { 6 }))
}

fn is_unspecified(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(address_of(&arguments[0])?.is_unspecified()))
}

fn is_loopback(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(address_of(&arguments[0])?.is_loopback()))
}

fn is_link_local_multicast(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(match address_of(&arguments[0])? {
        IpAddr::V4(address) => matches!(address.octets(), [224, 0, 0, _]),
        IpAddr::V6(address) => matches!(address.octets(), [0xff, scope, ..] if scope & 0xf == 2),
    }))
}

fn is_link_local_unicast(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(is_link_local(address_of(&arguments[0])?)))
}

fn is_link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_link_local(),
        IpAddr::V6(address) => address.is_unicast_link_local(),
    }
}

fn is_global_unicast(arguments: &[Value]) -> Evaluated {
    let address = address_of(&arguments[0])?;
    let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    let is_other = address.is_unspecified() || address.is_loopback() || address.is_multicast();
    Ok(Value::Bool(!is_broadcast && !is_other && !is_link_local(address)))
}

fn cidr(arguments: &[Value]) -> Evaluated {
    Ok(Value::Opaque(Arc::new(read_network(string(&arguments[0])?)?)))
}

fn is_cidr(arguments: &[Value]) -> Evaluated {
    Ok(Value::Bool(read_network(string(&arguments[0])?).is_ok()))
}

fn contains_ip(arguments: &[Value]) -> Evaluated {
    let address = match &arguments[1] {
        // Upstream looks at the address, and not at the error in its place.
        Value::String(text) => read_address(text).map_err(|_| EvaluationError::no_such_overload())?,
        other => address_of(other)?,
    };
    Ok(Value::Bool(opaque::<Cidr>(&arguments[0])?.contains(address)))
}

fn contains_cidr(arguments: &[Value]) -> Evaluated {
    let outer = opaque::<Cidr>(&arguments[0])?;
    let contains = |inner: &Cidr| outer.1 <= inner.1 && outer.contains(inner.0);
    Ok(Value::Bool(match &arguments[1] {
        Value::String(text) => contains(&read_network(text)?),
        other => contains(opaque::<Cidr>(other)?),
    }))
}

fn cidr_ip(arguments: &[Value]) -> Evaluated {
    Ok(Value::Opaque(Arc::new(Ip(opaque::<Cidr>(&arguments[0])?.0))))
}

fn prefix_length(arguments: &[Value]) -> Evaluated {
    Ok(Value::Int(i64::from(opaque::<Cidr>(&arguments[0])?.1)))
}

fn masked(arguments: &[Value]) -> Evaluated {
    Ok(Value::Opaque(Arc::new(opaque::<Cidr>(&arguments[0])?.masked())))
}
