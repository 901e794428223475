import { DOMParser, type Element } from "@xmldom/xmldom";

/** The attributes and children that Jenkins' schema of JUnit files allows, in order. */
const allowedStructure: Record<string, { attributes: string[]; required: string[]; children: string[] }> = {
  testsuites: {
    attributes: ["name", "time", "tests", "failures", "errors"],
    required: [],
    children: ["testsuite"],
  },
  testsuite: {
    attributes:
      "name tests failures errors group time skipped timestamp hostname id package file log url version".split(" "),
    required: ["name", "tests", "failures", "errors"],
    children: ["properties", "testcase", "system-out", "system-err"],
  },
  properties: { attributes: [], required: [], children: ["property"] },
  property: { attributes: ["name", "value"], required: ["name", "value"], children: [] },
  testcase: {
    attributes: ["name", "time", "classname", "group"],
    required: ["name"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  skipped: { attributes: ["message", "type"], required: [], children: [] },
  error: { attributes: ["message", "type"], required: [], children: [] },
  failure: { attributes: ["message", "type"], required: [], children: [] },
  "system-out": { attributes: [], required: [], children: [] },
};

/** For tests: parses XML. Throws if it is not well-formed. */
export function parseXml(text: string): Element {
  const onError = (level: string, message: string): never => {
    throw new Error(`${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(text, "text/xml").documentElement as Element;
}

/** For tests: the direct children of an element. */
export function childElements(element: Element): Element[] {
  return Array.from(element.childNodes).filter((node): node is Element => node.nodeType === 1);
}

/** For tests: the elements with a name, at any depth. */
export function elementsNamed(element: Element, name: string): Element[] {
  return Array.from(element.getElementsByTagName(name));
}

/** For tests: the deviations from Jenkins' schema. */
export function findMisplaced(element: Element): string[] {
  const allowed = allowedStructure[element.tagName];
  if (allowed === undefined) return [`<${element.tagName}>`];
  const attributes = Array.from(element.attributes).map(({ name }) => name);
  const positions = childElements(element).map(({ tagName }) => allowed.children.indexOf(tagName));
  return [
    ...attributes.filter((name) => !allowed.attributes.includes(name)).map((name) => `${element.tagName} ${name}`),
    ...allowed.required
      .filter((name) => !attributes.includes(name))
      .map((name) => `${element.tagName} without ${name}`),
    ...positions
      .filter((position, index) => position < (positions[index - 1] ?? 0))
      .map(() => `order in ${element.tagName}`),
    ...childElements(element).flatMap(findMisplaced),
  ];
}
