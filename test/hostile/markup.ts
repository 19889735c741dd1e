/** Markup, ends of other formats and control characters that would show an effect in a browser or a terminal. */
export const markup = `<img src=x onerror="document.title='ran'">]]>--></script><script>document.title='ran'</script>\u001b]0;ran\u0007`;
