/**
 * Returns a function that turns the target of a request into path and query below `{base_url}`, as routed and
 * recorded: a target may be an absolute URL (RFC 9112, 3.2.2), and a proxy in front of a public address may keep or
 * remove the path of that address.
 */
export function targetBelow(publicUrl: string | undefined): (target: string) => string {
  const prefix = publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');
  return (target) => {
    const path = target.startsWith('/') ? target : withoutOrigin(target);
    if (prefix === '' || !path.startsWith(prefix)) return path;
    const rest = path.slice(prefix.length);
    if (rest !== '' && !/^[/?]/.test(rest)) return path;
    const below = rest.startsWith('/') ? rest : `/${rest}`;
    // The path of the public address may itself be /v1: an existing /v1 is then not mistaken for it.
    return isOurs(path) && !isOurs(below) ? path : below;
  };
}

function withoutOrigin(target: string): string {
  const rest = /^https?:\/\/[^/?#]*(.*)$/is.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function isOurs(path: string): boolean {
  return /^\/(?:v1|callbacks)(?:[/?]|$)/.test(path);
}
