/** Names of config files, in order of precedence. The search starts in the working directory and continues upwards. */
export const configFileNames = ['ts', 'js', 'mjs', 'json', 'yaml', 'yml'].map((ext) => `svc-conform.config.${ext}`);
