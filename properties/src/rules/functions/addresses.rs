//! IP addresses and networks, and named formats.

use super::super::shared::{Table, known, valued};
use crate::prelude::*;

fn arguments() -> Value {
    let text = json!({ "type": "string", "maxLength": 300 });
    object_of(json!({ "a": text, "b": text, "r": text, "n": { "type": "integer" } }))
}

/// IP addresses and networks.
pub(in super::super) fn addresses() -> Table {
    let rules = [
        known(
            "isIP(self.a)",
            json!([{ "a": "127.0.0.1" }, { "a": "::1" }, { "a": "2001:DB8::0:1" }]),
            json!([
                { "a": "127.0.0.01" }, { "a": "::ffff:1.2.3.4" }, { "a": "fe80::1%eth0" }, { "a": "1.2.3" }, { "a": "" },
                { "a": "1.2.3.4/8" }, { "a": "1.2.3.256" },
            ]),
        ),
        valued("ip(self.a)", json!([{ "a": "1.2.3.4" }, { "a": "::" }]), json!([{ "a": "1.2.3.04" }, { "a": "x" }])),
        known(
            "ip(self.a) == ip(self.b)",
            json!([{ "a": "::1", "b": "0:0::0:1" }]),
            json!([{ "a": "::1", "b": "::2" }, { "a": "1.2.3.4", "b": "::102:304" }]),
        ),
        known(
            "ip(self.a).family() == self.n",
            json!([{ "a": "1.2.3.4", "n": 4 }, { "a": "::", "n": 6 }]),
            json!([{ "a": "::", "n": 4 }]),
        ),
        known(
            "ip(self.a).isUnspecified()",
            json!([{ "a": "0.0.0.0" }, { "a": "::" }]),
            json!([{ "a": "0.0.0.1" }, { "a": "::1" }]),
        ),
        known(
            "ip(self.a).isLoopback()",
            json!([{ "a": "127.3.0.1" }, { "a": "::1" }]),
            json!([{ "a": "128.0.0.1" }, { "a": "::2" }]),
        ),
        known(
            "ip(self.a).isLinkLocalMulticast()",
            json!([{ "a": "224.0.0.1" }, { "a": "ff02::1" }]),
            json!([{ "a": "224.0.1.1" }, { "a": "fe80::1" }]),
        ),
        known(
            "ip(self.a).isLinkLocalUnicast()",
            json!([{ "a": "169.254.1.1" }, { "a": "fe80::1" }]),
            json!([{ "a": "169.253.1.1" }, { "a": "ff02::1" }]),
        ),
        known(
            "ip(self.a).isGlobalUnicast()",
            json!([{ "a": "10.0.0.1" }, { "a": "fd00::1" }]),
            json!([{ "a": "127.0.0.1" }, { "a": "255.255.255.255" }, { "a": "ff02::1" }]),
        ),
        known(
            "ip.isCanonical(self.a)",
            json!([{ "a": "1.2.3.4" }, { "a": "2001:db8::1" }]),
            json!([{ "a": "2001:DB8::1" }, { "a": "2001:db8:0::1" }]),
        ),
        valued("ip.isCanonical(self.a)", json!([{ "a": "2001:DB8::1" }]), json!([{ "a": "01.2.3.4" }])),
        known(
            "string(ip(self.a)) == self.r",
            json!([{ "a": "2001:DB8::0:1", "r": "2001:db8::1" }]),
            json!([{ "a": "2001:DB8::0:1", "r": "2001:DB8::0:1" }]),
        ),
        known(
            "isCIDR(self.a)",
            json!([{ "a": "10.0.0.0/8" }, { "a": "10.1.2.3/8" }, { "a": "::/0" }, { "a": "fd00::/128" }]),
            json!([{ "a": "10.0.0.0/33" }, { "a": "10.0.0.0" }, { "a": "10.0.0.0/08" }, { "a": "::/129" }, { "a": "" }, { "a": "::ffff:1.2.3.0/120" }]),
        ),
        valued("cidr(self.a)", json!([{ "a": "10.0.0.0/8" }]), json!([{ "a": "10.0.0.0" }, { "a": "10.0.0.0/-1" }])),
        known(
            "cidr(self.a) == cidr(self.b)",
            json!([{ "a": "::/8", "b": "0::0/8" }]),
            json!([{ "a": "10.0.0.0/8", "b": "10.0.0.0/9" }]),
        ),
        known(
            "cidr(self.a).containsIP(self.b)",
            json!([{ "a": "10.0.0.0/8", "b": "10.255.0.1" }, { "a": "10.1.2.3/8", "b": "10.0.0.0" }, { "a": "::/0", "b": "::1" }]),
            json!([{ "a": "10.0.0.0/8", "b": "11.0.0.0" }, { "a": "0.0.0.0/0", "b": "::1" }]),
        ),
        known(
            "cidr(self.a).containsIP(ip(self.b))",
            json!([{ "a": "fd00::/8", "b": "fd12::1" }]),
            json!([{ "a": "fd00::/8", "b": "fc12::1" }]),
        ),
        known(
            "cidr(self.a).containsCIDR(self.b)",
            json!([{ "a": "10.0.0.0/8", "b": "10.1.0.0/16" }, { "a": "10.0.0.0/8", "b": "10.0.0.0/8" }]),
            json!([{ "a": "10.1.0.0/16", "b": "10.0.0.0/8" }, { "a": "10.0.0.0/8", "b": "11.0.0.0/16" }]),
        ),
        known(
            "cidr(self.a).containsCIDR(cidr(self.b))",
            json!([{ "a": "::/0", "b": "fd00::/8" }]),
            json!([{ "a": "::/64", "b": "fd00::/8" }]),
        ),
        known(
            "cidr(self.a).ip() == ip(self.b)",
            json!([{ "a": "10.1.2.3/8", "b": "10.1.2.3" }]),
            json!([{ "a": "10.1.2.3/8", "b": "10.0.0.0" }]),
        ),
        known(
            "cidr(self.a).masked() == cidr(self.b)",
            json!([{ "a": "10.1.2.3/8", "b": "10.0.0.0/8" }]),
            json!([{ "a": "10.1.2.3/8", "b": "10.1.2.3/8" }]),
        ),
        known(
            "cidr(self.a).prefixLength() == self.n",
            json!([{ "a": "10.0.0.0/8", "n": 8 }, { "a": "::/0", "n": 0 }]),
            json!([{ "a": "10.0.0.0/8", "n": 24 }]),
        ),
        known(
            "string(cidr(self.a)) == self.r",
            json!([{ "a": "FD00::0/8", "r": "fd00::/8" }]),
            json!([{ "a": "FD00::0/8", "r": "FD00::0/8" }]),
        ),
    ];
    Table::new(arguments(), rules)
}

/// Named formats: a value is valid if there are no errors.
pub(in super::super) fn formats() -> Table {
    let label = "a".repeat(63);
    let too_long = "a".repeat(64);
    let format = |name: &str, holds: Value, fails: Value| {
        let values = |texts: Value| texts.as_array().into_iter().flatten().map(|text| json!({ "a": text })).collect();
        known(format!("!format.{name}().validate(self.a).hasValue()"), values(holds), values(fails))
    };
    let rules = [
        format("dns1123Label", json!(["a", "0-9", label]), json!(["", "A", "a.b", "-a", "a-", too_long])),
        format("dns1123Subdomain", json!(["a", "a.b-c"]), json!(["", "a..b", "A.b", "a_b"])),
        format("dns1035Label", json!(["a-0", label]), json!(["0a", "a.b", "a-", too_long])),
        format("qualifiedName", json!(["a", "A_b.c", "a.b/C"]), json!(["", "/a", "a/", "a/b/c", "a b"])),
        format("dns1123LabelPrefix", json!(["a", "a-"]), json!(["A", "-a"])),
        format("dns1123SubdomainPrefix", json!(["a.b", "a.b-"]), json!(["a..b", "A"])),
        format("dns1035LabelPrefix", json!(["a", "a-"]), json!(["0", ".a"])),
        format("labelValue", json!(["", "A.b_c-0", label]), json!(["a b", "-a", "a-", too_long])),
        format("uri", json!(["https://a.b/c", "a:b"]), json!(["", "a b"])),
        format("uuid", json!(["123e4567-e89b-12d3-a456-426614174000"]), json!(["123e4567", ""])),
        format("byte", json!(["YQ=="]), json!(["YQ", "a b"])),
        format("date", json!(["2020-02-29"]), json!(["2021-02-29", "2020-1-1", ""])),
        format("datetime", json!(["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+01:00"]), json!(["2020-01-01", ""])),
        known(
            "format.named(self.b).hasValue()",
            json!([{ "b": "uuid" }, { "b": "dns1123Label" }]),
            json!([{ "b": "uuids" }, { "b": "" }, { "b": "UUID" }]),
        ),
        known(
            "format.named('uuid').value().validate(self.a).hasValue()",
            json!([{ "a": "x" }]),
            json!([{ "a": "123e4567-e89b-12d3-a456-426614174000" }]),
        ),
    ];
    Table::new(arguments(), rules)
}
