// Artillery loads a package of this name and expects the engine as its default export.
export { LoadEngine as default } from '../dist/entry/artillery.js';
