import { isInSample, testSchemes } from './schemes/test-schemes.ts';

// The others: schemes.test.ts.
testSchemes((place) => !isInSample(place));
