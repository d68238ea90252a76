import type { Methods } from "../capabilities.ts";
export function netMethods(_host: { allowedPrivateHosts: readonly string[] }): Methods {
  return {};
}
