//! The `caBundle` of a conversion webhook (CRDVAL-048).

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{Spec, violation};
use crate::{Reason, Semantics, Violation, message};

const FIELD: &str = "spec.conversion.webhookClientConfig.caBundle";

pub(crate) fn check(semantics: &Semantics, spec: &Spec, before: &Spec, established: bool, found: &mut Vec<Violation>) {
    let stored = bundle(before).unwrap_or_default();
    let may_be_wrong = !established || (!stored.is_empty() && !semantics.is_certificate_bundle(stored));
    let is_webhook = spec.conversion.as_ref().is_some_and(|conversion| conversion.strategy == "Webhook");
    let Some(bundle) = bundle(spec).filter(|bundle| is_webhook && !may_be_wrong && !bundle.is_empty()) else { return };
    if !semantics.is_certificate_bundle(bundle) {
        let fault = "unable to load root certificates: unable to parse bytes as PEM block";
        let detail = message::about_text(bundle, fault);
        found.push(violation(FIELD, Reason::Invalid, "CRDVAL-048", &detail));
    }
}

/// The `caBundle`, in base64. Upstream ignores it unless exactly one of `url` and `service` is set.
fn bundle(spec: &Spec) -> Option<&str> {
    let client = spec.conversion.as_ref()?.webhook.as_ref()?.client_config.as_ref()?;
    (client.url.is_some() != client.service.is_some()).then_some(&client.ca_bundle)
}

pub(crate) fn is_bundle(encoded: &str) -> bool {
    let encoded: String = encoded.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
    let Ok(bytes) = STANDARD.decode(encoded) else { return false };
    let text = String::from_utf8_lossy(&bytes);
    text.split("-----BEGIN CERTIFICATE-----").skip(1).any(|rest| {
        let Some((body, _)) = rest.split_once("-----END CERTIFICATE-----") else { return false };
        let body: String = body.chars().filter(|letter| !letter.is_ascii_whitespace()).collect();
        STANDARD.decode(body).is_ok_and(|der| is_certificate(&der))
    })
}

/// Whether the bytes have the structure of a certificate: a sequence of the signed part, which is a sequence, the
/// algorithm, which is another, and a bit string. The content of the signed part is not checked.
fn is_certificate(der: &[u8]) -> bool {
    const SEQUENCE: u8 = 0x30;
    const BIT_STRING: u8 = 0x03;
    let Some((SEQUENCE, inside, [])) = element(der) else { return false };
    let Some((SEQUENCE, signed, rest)) = element(inside) else { return false };
    let Some((SEQUENCE, _, rest)) = element(rest) else { return false };
    element(signed).is_some() && matches!(element(rest), Some((BIT_STRING, _, [])))
}

/// The first element of DER: its tag, its content, and the rest of the bytes.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&[tag, first], rest) = der.split_first_chunk::<2>()?;
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81 => (usize::from(*rest.first()?), rest.get(1..)?),
        0x82 => {
            let (&[high, low], rest) = rest.split_first_chunk::<2>()?;
            (usize::from(u16::from_be_bytes([high, low])), rest)
        }
        _ => return None,
    };
    Some((tag, rest.get(..length)?, rest.get(length..)?))
}

#[cfg(test)]
mod tests {
    use base64::{Engine, engine::general_purpose::STANDARD};
    use rstest::rstest;

    use super::is_bundle;

    /// A sequence of two sequences, the first of them not empty, and a bit string.
    const FORM: &[u8] = &[0x30, 10, 0x30, 3, 0x02, 1, 1, 0x30, 0, 0x03, 1, 0];

    fn block(der: &[u8]) -> String {
        format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", STANDARD.encode(der))
    }

    #[rstest]
    #[case::certificate(&block(FORM), true)]
    #[case::inside_a_text(&format!("a\n{}b", block(FORM)), true)]
    #[case::after_junk(&format!("{}{}", block(b"junk"), block(FORM)), true)]
    #[case::junk(&block(b"junk"), false)]
    #[case::cut_off(&block(&FORM[..8]), false)]
    #[case::blanks(" \n", false)]
    #[case::word("no", false)]
    #[case::key(&block(FORM).replace("CERTIFICATE", "PRIVATE KEY"), false)]
    fn crdval_048(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(is_bundle(&STANDARD.encode(text)), expected);
    }
}
