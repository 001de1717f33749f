/** Screens of the pictures in the staff's guide. */

/** A screen of the demo content that a chapter shows. */
export interface GuideScreen {
  /** Name of the picture. */
  name: string
  /** Address of the screen; the id of the newest record of a resource replaces `$newest`. */
  path: string
  /** Resource and order of the record that the address names. */
  newest?: string
}

export const guideScreens: readonly GuideScreen[] = [
  { name: 'home', path: '/app/home' },
  { name: 'prices', path: '/app/price-list' },
  { name: 'price-day', path: '/app/price-list/$newest', newest: 'pricedates?sort=date:desc' },
  { name: 'chats', path: '/app/chats' },
  { name: 'course', path: '/app/e-learning/$newest', newest: 'courses?sort=id:asc' },
  { name: 'translations', path: '/app/translations' },
  { name: 'users', path: '/app/people/users' },
  { name: 'trash', path: '/app/trash' },
]
