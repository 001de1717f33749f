/** Finds the resource that a link names. */
import { resources, type Resource } from '@dala/model'

const resourcesByName: Readonly<Record<string, Resource>> = resources

/** Returns the resource with a name from a declaration; the registry has checked that it exists. */
export function resourceNamed(name: string): Resource {
  const resource = resourcesByName[name]
  if (!resource) throw new Error(`The model has no resource "${name}"`)
  return resource
}

/** Returns the resource with a name from another source, which may not exist. */
export const findResource = (name: string): Resource | undefined => resourcesByName[name]
