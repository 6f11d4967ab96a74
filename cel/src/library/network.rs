//! URLs, addresses and networks.

use super::{Overload, row};

pub(super) const OVERLOADS: &[Overload] = &[
    row("url", "string_to_url", "(string) -> kubernetes.URL"),
    row("isURL", "is_url_string", "(string) -> bool"),
    row("getScheme", "url_get_scheme", "kubernetes.URL.() -> string"),
    row("getHost", "url_get_host", "kubernetes.URL.() -> string"),
    row("getHostname", "url_get_hostname", "kubernetes.URL.() -> string"),
    row("getPort", "url_get_port", "kubernetes.URL.() -> string"),
    row("getEscapedPath", "url_get_escaped_path", "kubernetes.URL.() -> string"),
    row("getQuery", "url_get_query", "kubernetes.URL.() -> map(string, list(string))"),
    row("ip", "string_to_ip", "(string) -> net.IP"),
    row("isIP", "is_ip", "(string) -> bool"),
    row("ip.isCanonical", "ip_is_canonical", "(string) -> bool"),
    row("family", "ip_family", "net.IP.() -> int"),
    row("isUnspecified", "ip_is_unspecified", "net.IP.() -> bool"),
    row("isLoopback", "ip_is_loopback", "net.IP.() -> bool"),
    row("isLinkLocalMulticast", "ip_is_link_local_multicast", "net.IP.() -> bool"),
    row("isLinkLocalUnicast", "ip_is_link_local_unicast", "net.IP.() -> bool"),
    row("isGlobalUnicast", "ip_is_global_unicast", "net.IP.() -> bool"),
    row("cidr", "string_to_cidr", "(string) -> net.CIDR"),
    row("isCIDR", "is_cidr", "(string) -> bool"),
    row("containsIP", "cidr_contains_ip_string", "net.CIDR.(string) -> bool"),
    row("containsIP", "cidr_contains_ip_ip", "net.CIDR.(net.IP) -> bool"),
    row("containsCIDR", "cidr_contains_cidr_string", "net.CIDR.(string) -> bool"),
    row("containsCIDR", "cidr_contains_cidr", "net.CIDR.(net.CIDR) -> bool"),
    row("ip", "cidr_ip", "net.CIDR.() -> net.IP"),
    row("prefixLength", "cidr_prefix_length", "net.CIDR.() -> int"),
    row("masked", "cidr_masked", "net.CIDR.() -> net.CIDR"),
];
