/** The shapes of a Strapi v4 server's answers, as far as the tests read them. */

export interface Entry<Attributes> {
  id: number
  attributes: Attributes
}

export interface NamedRecord {
  name: string
  locale: string
}

export interface Picture {
  id: number
  name: string
  url: string
  alternativeText: string | null
  mime: string
}

export interface News {
  title: string
  description: string | null
  content: string | null
  link: string | null
  kind: string
  date: string | null
  views: number
  featured: boolean
  active: boolean
  locale: string
  version: number
  createdAt: string
  updatedAt: string
  tags?: { data: Entry<NamedRecord>[] }
  region?: { data: Entry<NamedRecord & { districts?: { data: Entry<NamedRecord>[] } }> | null }
  image?: { data: Entry<Omit<Picture, 'id'>> | null }
  localizations?: { data: Entry<Omit<News, 'localizations'>>[] }
}

/** An account on the wire: the only type that is answered without `attributes`. */
export interface Account {
  id: number
  username: string
  email: string
  confirmed: boolean
  blocked: boolean
  name?: string | null
  role?: { id: number; type: string }
}
