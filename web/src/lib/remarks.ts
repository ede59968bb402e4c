import type { Remark } from "../generated/protocol";
import { BEANS } from "./beans";
import { has, t } from "./i18n.svelte";
import { beansText, beanText } from "./sentences";

/** Return what a computer player says, in the language shown; nothing, if it is of a newer server. */
export function remarkText({ key, params }: Pick<Remark, "key" | "params">): string {
  if (!has(key)) return "";
  const bean = BEANS[params["bean"] ?? -1];
  if (bean === undefined) return t(key, params);
  return t(key, { ...params, bean: beanText(bean), beans: beansText(Array(params["count"] ?? 1).fill(bean)) });
}
