/** Replaces the part of a text between the marks `<!-- NAME -->` and `<!-- /NAME -->`. Throws if they are missing. */
export function replaceMarked(text: string, name: string, content: string): string {
  const between = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
  if (!between.test(text)) throw new Error(`there is no <!-- ${name} --> with a <!-- /${name} --> below it`);
  return text.replace(between, () => `${content}\n`);
}
