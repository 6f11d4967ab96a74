// Checks files under a JSON Schema: check.mjs WHAT SCHEMA FILE…
// In a journal each line is a document of its own.
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import Ajv07 from "ajv";
import Draft04 from "ajv-draft-04";
import addFormats from "ajv-formats";

const [what, path, ...files] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(path, "utf8"));
const draft = schema.$schema ?? "";
const Ajv = draft.includes("2020-12") ? Ajv2020.default : draft.includes("draft-04") ? Draft04.default : Ajv07.default;
// Schemas of others use words that are not JSON Schema's, and patterns that are not of Unicode.
const ajv = new Ajv({ strict: what !== "sarif", strictRequired: false, strictTypes: false, allErrors: true, unicodeRegExp: what !== "sarif" });
(addFormats.default ?? addFormats)(ajv);
const validate = ajv.compile(schema);

let documents = 0;
let wrong = 0;
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const parts = what === "journal" ? text.split("\n").filter((line) => line !== "") : [text];
  parts.forEach((part, index) => {
    documents += 1;
    if (validate(JSON.parse(part))) return;
    wrong += 1;
    for (const error of validate.errors.slice(0, 5)) {
      console.error(`${basename(file)}, document ${index + 1}: ${error.instancePath} ${error.message}`);
    }
  });
}
if (documents === 0) throw new Error(`no ${what} to check`);
// A number is none of these.
if (validate(17)) throw new Error(`the schema of ${what} accepts a number`);
console.log(`${what}: ${documents} documents of ${files.length} files, ${wrong} invalid`);
process.exitCode = wrong > 0 ? 1 : 0;
