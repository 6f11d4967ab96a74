//! Lists and sets.

use super::{Overload, row, unavailable};

pub(super) const OVERLOADS: &[Overload] = &[
    row("isSorted", "list_int_is_sorted_bool", "list(int).() -> bool", unavailable),
    row("isSorted", "list_uint_is_sorted_bool", "list(uint).() -> bool", unavailable),
    row("isSorted", "list_double_is_sorted_bool", "list(double).() -> bool", unavailable),
    row("isSorted", "list_bool_is_sorted_bool", "list(bool).() -> bool", unavailable),
    row("isSorted", "list_duration_is_sorted_bool", "list(duration).() -> bool", unavailable),
    row("isSorted", "list_timestamp_is_sorted_bool", "list(timestamp).() -> bool", unavailable),
    row("isSorted", "list_string_is_sorted_bool", "list(string).() -> bool", unavailable),
    row("isSorted", "list_bytes_is_sorted_bool", "list(bytes).() -> bool", unavailable),
    row("sum", "list_int_sum_int", "list(int).() -> int", unavailable),
    row("sum", "list_uint_sum_uint", "list(uint).() -> uint", unavailable),
    row("sum", "list_double_sum_double", "list(double).() -> double", unavailable),
    row("sum", "list_duration_sum_duration", "list(duration).() -> duration", unavailable),
    row("max", "list_int_max_int", "list(int).() -> int", unavailable),
    row("max", "list_uint_max_uint", "list(uint).() -> uint", unavailable),
    row("max", "list_double_max_double", "list(double).() -> double", unavailable),
    row("max", "list_bool_max_bool", "list(bool).() -> bool", unavailable),
    row("max", "list_duration_max_duration", "list(duration).() -> duration", unavailable),
    row("max", "list_timestamp_max_timestamp", "list(timestamp).() -> timestamp", unavailable),
    row("max", "list_string_max_string", "list(string).() -> string", unavailable),
    row("max", "list_bytes_max_bytes", "list(bytes).() -> bytes", unavailable),
    row("min", "list_int_min_int", "list(int).() -> int", unavailable),
    row("min", "list_uint_min_uint", "list(uint).() -> uint", unavailable),
    row("min", "list_double_min_double", "list(double).() -> double", unavailable),
    row("min", "list_bool_min_bool", "list(bool).() -> bool", unavailable),
    row("min", "list_duration_min_duration", "list(duration).() -> duration", unavailable),
    row("min", "list_timestamp_min_timestamp", "list(timestamp).() -> timestamp", unavailable),
    row("min", "list_string_min_string", "list(string).() -> string", unavailable),
    row("min", "list_bytes_min_bytes", "list(bytes).() -> bytes", unavailable),
    row("indexOf", "list_a_index_of_int", "list(A).(A) -> int", unavailable),
    row("lastIndexOf", "list_a_last_index_of_int", "list(A).(A) -> int", unavailable),
    row("sets.contains", "list_sets_contains_list", "(list(A), list(A)) -> bool", unavailable),
    row("sets.equivalent", "list_sets_equivalent_list", "(list(A), list(A)) -> bool", unavailable),
    row("sets.intersects", "list_sets_intersects_list", "(list(A), list(A)) -> bool", unavailable),
    row("slice", "list_slice", "list(T).(int, int) -> list(T)", unavailable).since(34),
    row("flatten", "list_flatten", "list(list(T)).() -> list(T)", unavailable).since(34),
    row("flatten", "list_flatten_int", "list(dyn).(int) -> list(dyn)", unavailable).since(34),
    row("sort", "list_int_sort", "list(int).() -> list(int)", unavailable).since(34),
    row("sort", "list_uint_sort", "list(uint).() -> list(uint)", unavailable).since(34),
    row("sort", "list_double_sort", "list(double).() -> list(double)", unavailable).since(34),
    row("sort", "list_bool_sort", "list(bool).() -> list(bool)", unavailable).since(34),
    row("sort", "list_google.protobuf.Duration_sort", "list(duration).() -> list(duration)", unavailable).since(34),
    row("sort", "list_google.protobuf.Timestamp_sort", "list(timestamp).() -> list(timestamp)", unavailable).since(34),
    row("sort", "list_string_sort", "list(string).() -> list(string)", unavailable).since(34),
    row("sort", "list_bytes_sort", "list(bytes).() -> list(bytes)", unavailable).since(34),
    row("@sortByAssociatedKeys", "list_int_sortByAssociatedKeys", "list(T).(list(int)) -> list(T)", unavailable)
        .since(34),
    row("@sortByAssociatedKeys", "list_uint_sortByAssociatedKeys", "list(T).(list(uint)) -> list(T)", unavailable)
        .since(34),
    row("@sortByAssociatedKeys", "list_double_sortByAssociatedKeys", "list(T).(list(double)) -> list(T)", unavailable)
        .since(34),
    row("@sortByAssociatedKeys", "list_bool_sortByAssociatedKeys", "list(T).(list(bool)) -> list(T)", unavailable)
        .since(34),
    row(
        "@sortByAssociatedKeys",
        "list_google.protobuf.Duration_sortByAssociatedKeys",
        "list(T).(list(duration)) -> list(T)",
        unavailable,
    )
    .since(34),
    row(
        "@sortByAssociatedKeys",
        "list_google.protobuf.Timestamp_sortByAssociatedKeys",
        "list(T).(list(timestamp)) -> list(T)",
        unavailable,
    )
    .since(34),
    row("@sortByAssociatedKeys", "list_string_sortByAssociatedKeys", "list(T).(list(string)) -> list(T)", unavailable)
        .since(34),
    row("@sortByAssociatedKeys", "list_bytes_sortByAssociatedKeys", "list(T).(list(bytes)) -> list(T)", unavailable)
        .since(34),
    row("lists.range", "lists_range", "(int) -> list(int)", unavailable).since(34),
    row("reverse", "list_reverse", "list(T).() -> list(T)", unavailable).since(34),
    row("distinct", "list_distinct", "list(T).() -> list(T)", unavailable).since(34),
];
