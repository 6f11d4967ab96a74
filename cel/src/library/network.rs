//! URLs, addresses and networks.

use super::{Overload, row, unavailable};

pub(super) const OVERLOADS: &[Overload] = &[
    row("url", "string_to_url", "(string) -> kubernetes.URL", unavailable),
    row("isURL", "is_url_string", "(string) -> bool", unavailable),
    row("getScheme", "url_get_scheme", "kubernetes.URL.() -> string", unavailable),
    row("getHost", "url_get_host", "kubernetes.URL.() -> string", unavailable),
    row("getHostname", "url_get_hostname", "kubernetes.URL.() -> string", unavailable),
    row("getPort", "url_get_port", "kubernetes.URL.() -> string", unavailable),
    row("getEscapedPath", "url_get_escaped_path", "kubernetes.URL.() -> string", unavailable),
    row("getQuery", "url_get_query", "kubernetes.URL.() -> map(string, list(string))", unavailable),
    row("ip", "string_to_ip", "(string) -> net.IP", unavailable),
    row("isIP", "is_ip", "(string) -> bool", unavailable),
    row("ip.isCanonical", "ip_is_canonical", "(string) -> bool", unavailable),
    row("family", "ip_family", "net.IP.() -> int", unavailable),
    row("isUnspecified", "ip_is_unspecified", "net.IP.() -> bool", unavailable),
    row("isLoopback", "ip_is_loopback", "net.IP.() -> bool", unavailable),
    row("isLinkLocalMulticast", "ip_is_link_local_multicast", "net.IP.() -> bool", unavailable),
    row("isLinkLocalUnicast", "ip_is_link_local_unicast", "net.IP.() -> bool", unavailable),
    row("isGlobalUnicast", "ip_is_global_unicast", "net.IP.() -> bool", unavailable),
    row("cidr", "string_to_cidr", "(string) -> net.CIDR", unavailable),
    row("isCIDR", "is_cidr", "(string) -> bool", unavailable),
    row("containsIP", "cidr_contains_ip_string", "net.CIDR.(string) -> bool", unavailable),
    row("containsIP", "cidr_contains_ip_ip", "net.CIDR.(net.IP) -> bool", unavailable),
    row("containsCIDR", "cidr_contains_cidr_string", "net.CIDR.(string) -> bool", unavailable),
    row("containsCIDR", "cidr_contains_cidr", "net.CIDR.(net.CIDR) -> bool", unavailable),
    row("ip", "cidr_ip", "net.CIDR.() -> net.IP", unavailable),
    row("prefixLength", "cidr_prefix_length", "net.CIDR.() -> int", unavailable),
    row("masked", "cidr_masked", "net.CIDR.() -> net.CIDR", unavailable),
];
