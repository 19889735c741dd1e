import { inlined, integrity } from './inlined.ts';
import { html, type Markup } from './markup.ts';

export interface HtmlPage {
  title: string;
  style: string;
  script?: string;
  /** The content of the body. */
  body: Markup;
}

/** A self-contained page: it sends no requests, and its policy allows only its own style and script. */
export function htmlPage({ title, style, script, body }: HtmlPage): string {
  const policy = [
    "default-src 'none'",
    `style-src '${integrity(style)}'`,
    ...(script === undefined ? [] : [`script-src '${integrity(script)}'`]),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${inlined('style', style)}
      </head>
      <body>
        ${body} ${script !== undefined && inlined('script', script)}
      </body>
    </html> `.source;
}
