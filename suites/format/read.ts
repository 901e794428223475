import { mustBe, readJson, readYaml, type Text } from "../../schemas/index.ts";
import { bytesIn } from "./bytes.ts";

/** The text of a JSON or YAML file. Throws a usage error for a file that cannot be read. */
export async function textIn(file: string): Promise<Text> {
  const bytes = bytesIn(file);
  return /\.ya?ml$/i.test(file) ? readYaml(bytes, file) : readJson(bytes, file);
}

/** The value of a file in one of our formats. Throws a usage error for a file that is not in it. */
export async function readAs<T>(format: string, file: string): Promise<T> {
  const text = await textIn(file);
  mustBe(format, file, text);
  return text.value as unknown as T;
}
