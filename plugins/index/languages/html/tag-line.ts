const SHOWN = ["id", "class", "name", "src", "href", "action", "type", "lang", "setup", "slot"];

/** `<section id="a" class="b c">` as `section#a.b.c`; a heading with its text. */
export function tagLine(text: string): string {
  const [tag = "", name = "", rest = ""] = /^<([^\s/>]+)((?:"[^"]*"|'[^']*'|[^>"'])*)>?/.exec(text) ?? [];
  if (name === "") return text;
  let line = name;
  for (const [, key = "", value = ""] of rest.matchAll(/([^\s=/]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>]+))?/g)) {
    const plain = value.replace(/^["']|["']$/g, "").trim();
    if (key === "id") line += `#${plain}`;
    else if (key === "class") line += plain === "" ? "" : `.${plain.split(/\s+/).join(".")}`;
    else if (SHOWN.includes(key) || /^(?:#|v-slot)/.test(key)) line += value === "" ? ` ${key}` : ` ${key}=${plain}`;
  }
  const inside = text
    .slice(tag.length)
    .replace(/<[^>]*>/g, "")
    .trim();
  return inside === "" ? line : `${line} ${inside}`;
}
