declare module "postject" {
  /** Puts a resource into an executable file, in place. */
  export function inject(
    filename: string,
    resourceName: string,
    resource: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>;
}
