declare module "*.scm" {
  const text: string;
  export default text;
}
