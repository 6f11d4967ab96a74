//! The circumstances of a validation, apart from the object and its schema.

use std::fmt;

use serde_json::Value;

/// The circumstances of the validation of one object in one request.
#[derive(Debug, Default)]
pub struct ValidationContext<'a> {
    /// The stored object, as read in the version of the request (RATCHET-020). `None` for a create.
    pub old: Option<&'a Value>,
    /// The remaining cost budget of rules. All rules of the object share it (CEL-043).
    pub budget: Budget,
}

impl<'a> ValidationContext<'a> {
    /// The context of a create, with the budget of a request.
    pub fn for_create() -> Self {
        Self::default()
    }

    /// The context of an update of `old`, with the budget of a request.
    pub fn for_update(old: &'a Value) -> Self {
        Self { old: Some(old), ..Self::default() }
    }
}

/// A limit on the cost of CEL rules, and the cost spent so far. Costs are in the units of cel-go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    limit: u64,
    spent: u64,
}

impl Budget {
    /// The limit for all rules of one object in one request (CEL-043): upstream's `RuntimeCELCostBudget`.
    pub const PER_REQUEST: u64 = 10_000_000;

    /// A budget with this limit.
    pub fn new(limit: u64) -> Self {
        Self { limit, spent: 0 }
    }

    /// A budget of [`Budget::PER_REQUEST`].
    pub fn per_request() -> Self {
        Self::new(Self::PER_REQUEST)
    }

    /// Spends a cost. A cost equal to the remaining budget is still within it.
    ///
    /// # Errors
    /// If more is spent than the limit, now or earlier: an exceeded budget stays exceeded.
    pub fn spend(&mut self, cost: u64) -> Result<(), BudgetExceeded> {
        self.spent = self.spent.saturating_add(cost);
        if self.spent > self.limit { Err(BudgetExceeded) } else { Ok(()) }
    }

    /// The remaining budget.
    pub fn left(&self) -> u64 {
        self.limit.saturating_sub(self.spent)
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::per_request()
    }
}

/// The error of a budget that is exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BudgetExceeded;

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the cost budget is exceeded")
    }
}

impl std::error::Error for BudgetExceeded {}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Budget, BudgetExceeded, ValidationContext};

    #[test]
    fn a_budget_can_be_spent_to_the_last_unit() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.spend(4), Ok(()));
        assert_eq!(budget.left(), 6);
        assert_eq!(budget.spend(6), Ok(()));
        assert_eq!(budget.left(), 0);
        assert_eq!(budget.spend(0), Ok(()));
        assert_eq!(budget.spend(1), Err(BudgetExceeded));
    }

    #[test]
    fn an_exceeded_budget_stays_exceeded() {
        let mut budget = Budget::new(10);
        assert_eq!(budget.spend(11), Err(BudgetExceeded));
        assert_eq!(budget.left(), 0);
        assert_eq!(budget.spend(0), Err(BudgetExceeded));
    }

    #[test]
    fn costs_do_not_overflow() {
        let mut budget = Budget::new(u64::MAX - 1);
        assert_eq!(budget.spend(u64::MAX), Err(BudgetExceeded));
        assert_eq!(budget.spend(u64::MAX), Err(BudgetExceeded));
    }

    #[test]
    fn contexts_have_the_budget_of_a_request() {
        let old = json!({});
        assert_eq!(ValidationContext::for_create().budget.left(), 10_000_000);
        assert_eq!(ValidationContext::for_create().old, None);
        assert_eq!(ValidationContext::for_update(&old).budget, Budget::per_request());
        assert_eq!(ValidationContext::for_update(&old).old, Some(&old));
    }
}
