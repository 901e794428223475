/** The text with what stands between its marks `<!-- NAME -->` and `<!-- /NAME -->` replaced. Throws when they are not there. */
export function marked(text: string, name: string, content: string): string {
  const between = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*?(?=<!-- /${name} -->)`);
  if (!between.test(text)) throw new Error(`there is no <!-- ${name} --> with a <!-- /${name} --> below it`);
  return text.replace(between, () => `${content}\n`);
}
