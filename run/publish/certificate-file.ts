/** What a certificate is called in the directory of its report. */
export const certificateFile = 'certificate.json';
