//! A webhook of any kind.

use crate::{answer::HookAnswer, conversion::Converter};

/// A webhook of any kind: what it answers follows from the body of the call alone.
#[derive(Clone, Debug, PartialEq)]
pub enum Hook {
    /// It converts the objects of a definition between its versions.
    Conversion(Converter),
}

impl Hook {
    /// Answers a call with this body.
    pub fn answer(&self, body: &[u8]) -> HookAnswer {
        match self {
            Self::Conversion(converter) => converter.answer(body),
        }
    }

    /// Whether it never misbehaves.
    pub fn is_right(&self) -> bool {
        match self {
            Self::Conversion(converter) => converter.behaviour.is_right(),
        }
    }

    /// The same webhook without its misbehaviour.
    #[must_use]
    pub fn righted(self) -> Self {
        match self {
            Self::Conversion(converter) => Self::Conversion(Converter::right(converter.chain)),
        }
    }
}

impl From<Converter> for Hook {
    fn from(converter: Converter) -> Self {
        Self::Conversion(converter)
    }
}
