/** File name of a certificate in the directory of its report. */
export const certificateFile = 'certificate.json';
