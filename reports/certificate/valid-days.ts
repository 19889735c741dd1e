/** Default validity of a certificate in days from the run. */
export const defaultValidDays = 90;
/** The API is in beta and the own-AI protocol has revisions: no certificate should be valid longer. */
export const mostValidDays = 366;
export const dayMs = 86_400_000;
/** Milliseconds by which clocks may differ: of the machines that ran, that signed and that verify. */
export const clockToleranceMs = 300_000;
