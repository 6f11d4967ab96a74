//! Random expressions: mostly of the right types, with the texts and numbers that functions have trouble with.

use std::collections::BTreeMap;

use crate::grammar::{ANY, Function, Grammar, Kind, VARIABLES};
use crate::pools;
use crate::texts::Draws;

/// A random expression.
pub(crate) fn text(grammar: &Grammar, draws: &mut Draws) -> String {
    let scope = VARIABLES.iter().map(|(name, of)| ((*name).to_owned(), Kind::read(of))).collect();
    let mut writer = Writer { grammar, draws, scope, left: 0 };
    writer.left = 2 + writer.draws.below(20);
    let kind = if writer.draws.below(3) > 0 { Kind::read("bool") } else { writer.any() };
    let text = writer.expression(&kind);
    if writer.draws.below(8) == 0 { writer.mangled(&text) } else { text }
}

struct Writer<'a> {
    grammar: &'a Grammar,
    draws: &'a mut Draws,
    scope: Vec<(String, Kind)>,
    /// How many more calls it may have.
    left: usize,
}

impl Writer<'_> {
    fn any(&mut self) -> Kind {
        Kind::read(self.pick(&ANY))
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        self.draws.one_of(all)
    }

    fn expression(&mut self, wanted: &Kind) -> String {
        let wanted = match self.draws.below(40) {
            0 => self.any(),
            _ if wanted.is("dyn") || wanted.is("any") || wanted.is_parameter() => self.any(),
            _ => wanted.clone(),
        };
        if self.left == 0 || self.draws.below(5) == 0 {
            return self.leaf(&wanted);
        }
        self.left -= 1;
        match self.draws.below(24) {
            0..4 => self.macros(&wanted),
            4 => {
                let condition = self.operand(&Kind::read("bool"));
                let first = self.operand(&wanted);
                format!("{condition} ? {first} : {}", self.expression(&wanted))
            }
            5 => {
                let inner = self.expression(&wanted);
                format!("dyn({inner})")
            }
            6 => self.selected(&wanted),
            _ => self.call(&wanted),
        }
    }

    /// An expression that can stand anywhere.
    fn operand(&mut self, wanted: &Kind) -> String {
        let text = self.expression(wanted);
        let is_one = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._'\"".contains(&byte));
        if is_one || self.draws.below(12) == 0 { text } else { format!("({text})") }
    }

    fn call(&mut self, wanted: &Kind) -> String {
        let mut fitting = Vec::new();
        for function in &self.grammar.functions {
            let mut bound = BTreeMap::new();
            if function.result.unified(wanted, &mut bound) {
                fitting.push((function, bound));
            }
        }
        if fitting.is_empty() {
            return self.leaf(wanted);
        }
        // Names first, since some have ten times as many overloads as others.
        let mut names: Vec<&str> = fitting.iter().map(|(function, _)| function.name.as_str()).collect();
        names.dedup();
        let name = names[self.draws.below(names.len())];
        fitting.retain(|(function, _)| function.name == name);
        let (function, mut bound) = fitting.swap_remove(self.draws.below(fitting.len()));
        let mut arguments = Vec::new();
        for (position, kind) in function.arguments.iter().enumerate() {
            let kind = self.concrete(kind, &mut bound);
            let pool = pools::texts(name, position).filter(|_| kind.is("string"));
            arguments.push(if let Some(pool) = pool.filter(|_| self.draws.below(4) > 0) {
                let text = self.draws.among(pool);
                self.quoted(text)
            } else if pools::is_size(name) && kind.is("int") {
                self.pick(&["0", "1", "2", "3", "7", "-1", "100"]).to_owned()
            } else {
                self.operand(&kind)
            });
        }
        if self.draws.below(60) == 0 {
            arguments.pop();
        }
        self.printed(function, &arguments)
    }

    fn concrete(&mut self, kind: &Kind, bound: &mut BTreeMap<String, Kind>) -> Kind {
        if kind.is_parameter() {
            if let Some(known) = bound.get(&kind.name) {
                return known.clone();
            }
            let any = self.any();
            bound.insert(kind.name.clone(), any.clone());
            return any;
        }
        let parameters = kind.parameters.iter().map(|parameter| self.concrete(parameter, bound)).collect();
        Kind::of(&kind.name, parameters)
    }

    fn printed(&mut self, function: &Function, arguments: &[String]) -> String {
        let name = function.name.as_str();
        let binary = name.strip_prefix('_').and_then(|rest| rest.strip_suffix('_'));
        match (name, binary, arguments) {
            ("@in", _, [first, second]) => format!("{first} in {second}"),
            ("!_" | "-_", _, [only]) => format!("{}{only}", &name[..1]),
            ("_?_:_", _, [first, second, third]) => format!("{first} ? {second} : {third}"),
            ("_[_]", _, [first, second]) => format!("{first}[{second}]"),
            ("_[?_]", _, [first, second]) => format!("{first}[?{second}]"),
            ("_?._", _, [first, _]) => {
                let field = self.pick(&["a", "b", "zz"]);
                format!("{first}.?{field}")
            }
            (_, Some(operator), [first, second]) => format!("{first} {operator} {second}"),
            (_, _, [first, rest @ ..]) if function.is_method => format!("{first}.{name}({})", rest.join(", ")),
            // Written by name, internal functions are errors of syntax.
            _ => format!("{name}({})", arguments.join(", ")),
        }
    }

    /// A field, or a key, of something.
    fn selected(&mut self, wanted: &Kind) -> String {
        let map = Kind::of("map", vec![Kind::read("string"), wanted.clone()]);
        let operand = self.operand(&map);
        let key = self.pick(&["a", "b", "zz"]);
        match self.draws.below(4) {
            0 => format!("{operand}['{key}']"),
            1 => format!("{operand}.?{key}.orValue({})", self.leaf(wanted)),
            2 => format!("{operand}[?'{key}'].value()"),
            _ => format!("{operand}.{key}"),
        }
    }

    /// A macro whose result may be of this type.
    fn macros(&mut self, wanted: &Kind) -> String {
        let is_map = self.draws.below(4) == 0;
        let element = self.any();
        let range = if is_map {
            let key = Kind::read(self.pick(&["string", "int", "uint", "bool"]));
            Kind::of("map", vec![key, element.clone()])
        } else {
            Kind::of("list", vec![element.clone()])
        };
        let operand = self.operand(&range);
        let of_one = if is_map { range.parameters[0].clone() } else { element.clone() };
        let first_of_two = if is_map { range.parameters[0].clone() } else { Kind::read("int") };
        let name = self.name();
        let second = self.name();
        let depth = self.scope.len();
        let has_two = self.draws.below(3) == 0;
        let text = match wanted.name.as_str() {
            "bool" if self.draws.below(6) == 0 => self.presence(),
            "bool" => {
                let names = if has_two {
                    &["all", "exists", "exists_one", "existsOne"][..]
                } else {
                    &["all", "exists", "exists_one"]
                };
                let called = self.pick(names);
                self.declare(&name, &second, has_two, &of_one, &first_of_two, &element);
                let body = self.expression(&Kind::read("bool"));
                let second = if has_two { format!(", {second}") } else { String::new() };
                format!("{operand}.{called}({name}{second}, {body})")
            }
            "list" if self.draws.below(5) == 0 => {
                let operand = self.operand(wanted);
                self.scope.push((name.clone(), wanted.parameters[0].clone()));
                let key = Kind::read(self.pick(&["int", "string", "double", "bool", "duration"]));
                let body = self.expression(&key);
                format!("{operand}.sortBy({name}, {body})")
            }
            "list" => {
                self.declare(&name, &second, has_two, &of_one, &first_of_two, &element);
                let condition = if self.draws.below(2) == 0 {
                    format!("{}, ", self.expression(&Kind::read("bool")))
                } else {
                    String::new()
                };
                let body = self.expression(&wanted.parameters[0]);
                if has_two {
                    format!("{operand}.transformList({name}, {second}, {condition}{body})")
                } else if self.draws.below(3) == 0 {
                    let body = self.expression(&Kind::read("bool"));
                    format!("{operand}.filter({name}, {body})")
                } else {
                    format!("{operand}.map({name}, {condition}{body})")
                }
            }
            "map" => {
                self.declare(&name, &second, true, &of_one, &first_of_two, &element);
                if self.draws.below(2) == 0 {
                    let body = self.expression(&wanted.parameters[1]);
                    format!("{operand}.transformMap({name}, {second}, {body})")
                } else {
                    let body = self.expression(wanted);
                    format!("{operand}.transformMapEntry({name}, {second}, {body})")
                }
            }
            "optional_type" => {
                let element = self.any();
                let operand = self.operand(&Kind::of("optional_type", vec![element.clone()]));
                self.scope.push((name.clone(), element));
                if self.draws.below(2) == 0 {
                    let body = self.expression(&wanted.parameters[0]);
                    format!("{operand}.optMap({name}, {body})")
                } else {
                    let body = self.expression(wanted);
                    format!("{operand}.optFlatMap({name}, {body})")
                }
            }
            _ => self.call(wanted),
        };
        self.scope.truncate(depth);
        text
    }

    fn declare(&mut self, name: &str, second: &str, has_two: bool, one: &Kind, first: &Kind, element: &Kind) {
        if has_two {
            self.scope.push((name.to_owned(), first.clone()));
            self.scope.push((second.to_owned(), element.clone()));
        } else {
            self.scope.push((name.to_owned(), one.clone()));
        }
    }

    /// The name of a variable of a loop: some hide others, or are none.
    fn name(&mut self) -> String {
        const NAMES: [&str; 10] = ["e", "e", "k", "v", "q", "i", "s", "li", "x", "type"];
        const ODD: [&str; 6] = ["__result__", "int", "a.b", "1", "_", "e.f"];
        if self.draws.below(50) == 0 { self.pick(&ODD).to_owned() } else { self.pick(&NAMES).to_owned() }
    }

    fn presence(&mut self) -> String {
        let map = Kind::of("map", vec![Kind::read("string"), Kind::read("int")]);
        let optional = || Kind::of("optional_type", vec![map.clone()]);
        let operand = if self.draws.below(2) == 0 { self.operand(&map) } else { self.operand(&optional()) };
        let field = self.pick(&["a", "b", "zz"]);
        let test = match self.draws.below(5) {
            0 => format!("has({operand})"),
            1 => format!("has({operand}.{field}.c)"),
            2 => format!("has({operand}.?{field})"),
            _ => format!("has({operand}.{field})"),
        };
        match self.draws.below(4) {
            0 => format!("({} ? {test} : {})", self.leaf(&Kind::read("bool")), self.leaf(&Kind::read("bool"))),
            1 => format!("{{true: true, false: false}}[{test}]"),
            _ => test,
        }
    }

    /// Something that contains nothing.
    fn leaf(&mut self, wanted: &Kind) -> String {
        let fitting: Vec<String> =
            self.scope.iter().filter(|(_, of)| of == wanted).map(|(name, _)| name.clone()).collect();
        if !fitting.is_empty() && self.draws.below(2) == 0 {
            return fitting[self.draws.below(fitting.len())].clone();
        }
        match wanted.name.as_str() {
            "string" => {
                let text = self.draws.among(pools::any());
                self.quoted(text)
            }
            "list" => {
                let count = self.draws.below(4);
                let elements: Vec<String> = (0..count).map(|_| self.leaf(&wanted.parameters[0])).collect();
                format!("[{}]", elements.join(", "))
            }
            "map" => {
                let count = self.draws.below(4);
                let entries: Vec<String> = (0..count)
                    .map(|_| format!("{}: {}", self.leaf(&wanted.parameters[0]), self.leaf(&wanted.parameters[1])))
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
            "optional_type" if self.draws.below(3) == 0 => "optional.none()".to_owned(),
            "optional_type" => {
                let inner = self.leaf(&wanted.parameters[0]);
                format!("optional.{}({inner})", self.pick(&["of", "of", "ofNonZeroValue"]))
            }
            "type" => {
                self.pick(&["int", "string", "list", "map", "type", "null_type", "optional_type", "net.IP"]).to_owned()
            }
            name => match pools::literals(name) {
                Some(literals) => self.draws.among(literals).to_owned(),
                None => self.pick(&["x", "y", "dyn(1)"]).to_owned(),
            },
        }
    }

    fn quoted(&mut self, text: &str) -> String {
        match self.draws.below(8) {
            0 if !text.contains(['\'', '\n']) => format!("r'{text}'"),
            1 => format!("{text:?}").replace("\\0", "\\x00").replace("\\u{", "\\U{"),
            _ => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n")),
        }
    }

    /// With a few letters missing, doubled or replaced.
    fn mangled(&mut self, text: &str) -> String {
        const LETTERS: [&str; 32] = [
            "", "", "", "(", ")", "[", "]", "{", "}", ".", ".?", "?", ":", ",", "'", "\"", "\\", "!", "-", "=", "&&",
            "||", "1", "u", "e", "0x", "`", "//", "\n", " ", "é", "in ",
        ];
        let mut letters: Vec<String> = text.chars().map(String::from).collect();
        for _ in 0..=self.draws.below(3) {
            if letters.is_empty() {
                break;
            }
            let position = self.draws.below(letters.len());
            let letter = self.pick(&LETTERS).to_owned();
            if self.draws.below(2) == 0 {
                letters[position] = letter;
            } else {
                letters.insert(position, letter);
            }
        }
        letters.concat()
    }
}
