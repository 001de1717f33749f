/** Parts that are loaded when they are first drawn, together with the words that a plain list does without. */
import { type ComponentType, lazy } from 'react'
import { loadFeatureWords } from '../lib/i18n.ts'

async function withWords<P>(load: () => Promise<ComponentType<P>>): Promise<ComponentType<P>> {
  const [component] = await Promise.all([load(), loadFeatureWords()])
  return component
}

export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await withWords(load) }))
}

const Nothing = () => null

/** What the page can do without and nobody has asked for: where a weak link does not bring it, the page stays as it is. */
export function lazyExtra<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => ({ default: await withWords(load).catch((): ComponentType<P> => Nothing) }))
}
