/** The part of the package that is used; its published types need those of a browser. */
declare module 'prismjs' {
  interface Prism {
    languages: Readonly<Record<string, object | undefined>>;
    /** Returns the code as escaped markup, with a `span` of class `token` for each part. */
    highlight(code: string, grammar: object, language: string): string;
  }
  const prism: Prism;
  export default prism;
}
