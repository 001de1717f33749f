/** The registry of everything that exists; a new resource is one file and one line here. */
import { buildRegistry } from '../registry.ts'
import { about } from './about.ts'
import { agrocultureareas } from './agrocultureareas.ts'
import { districts } from './districts.ts'
import { faqs } from './faqs.ts'
import { genders } from './genders.ts'
import { news } from './news.ts'
import { regions } from './regions.ts'
import { roles } from './roles.ts'
import { tags } from './tags.ts'
import { units } from './units.ts'
import { uploads } from './uploads.ts'
import { users } from './users.ts'

const declared = {
  about,
  agrocultureareas,
  districts,
  faqs,
  genders,
  news,
  regions,
  roles,
  tags,
  units,
  uploads,
  users,
} as const

export type Resources = typeof declared
export type ResourceName = keyof Resources

/** Every resource by name; building it fails at start-up when a declaration is wrong. */
export const resources: Resources = buildRegistry(declared)
