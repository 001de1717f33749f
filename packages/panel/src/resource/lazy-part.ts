/** A part that is loaded when it is first drawn, together with the words that a plain list does without. */
import { type ComponentType, lazy } from 'react'
import { loadFeatureWords } from '../lib/i18n.ts'

export function lazyPart<P>(load: () => Promise<ComponentType<P>>) {
  return lazy(async () => {
    const [component] = await Promise.all([load(), loadFeatureWords()])
    return { default: component }
  })
}
