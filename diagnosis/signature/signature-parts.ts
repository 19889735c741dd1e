import { unchangedBody, type BodyReading } from './body-readings.ts';
import { correctContent, type ContentReading } from './content-readings.ts';
import { correctEncoding, correctAlgorithm, type AlgorithmReading, type EncodingReading } from './digest-readings.ts';
import { correctHeader, type HeaderReading } from './header-readings.ts';
import { correctKey, type KeyReading } from './key-readings.ts';

/** One reading of every part of a signature. */
export interface SignatureParts {
  key: KeyReading;
  content: ContentReading;
  body: BodyReading;
  algorithm: AlgorithmReading;
  encoding: EncodingReading;
  header: HeaderReading;
}

/** The correct scheme (interface: Authentication). */
export function correctParts(secret: string): SignatureParts {
  return {
    key: correctKey(secret),
    content: correctContent,
    body: unchangedBody,
    algorithm: correctAlgorithm,
    encoding: correctEncoding,
    header: correctHeader,
  };
}
