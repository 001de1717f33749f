import { defineResource } from '../../declaration/define-resource.ts'
import { localized } from '../../fields/field.ts'
import { picture, pictures } from '../../fields/link-kinds.ts'
import { email, link, longText, rich, text } from '../../fields/text-kinds.ts'
import { decimalNumber } from '../../fields/value-kinds.ts'
import { openReference } from '../listed.ts'

/** The page about the organisation: one record, four languages. */
export const about = defineResource({
  name: 'about',
  wire: 'about',
  screens: [{ path: 'about', section: 'content' }],
  title: 'title',
  single: true,
  fields: {
    title: localized(text({ required: true, message: 'validation.title' })),
    description: localized(rich()),
    mission: localized(rich()),
    image: picture({ preset: 'image' }),
    gallery: pictures(),
    videourl: link({ video: true }),
    phone: text(),
    email: email(),
    address: localized(longText({ maxLength: 255 })),
    working_hours: localized(text()),
    website: link(),
    telegram: link(),
    facebook: link(),
    instagram: link(),
    youtube: link(),
    play_market_link: link(),
    appstore_link: link(),
    lat: decimalNumber({ digits: [9, 6], min: -90, max: 90, unit: 'degrees' }),
    lng: decimalNumber({ digits: [9, 6], min: -180, max: 180, unit: 'degrees' }),
  },
  form: {
    sections: [
      { name: 'text', fields: ['title', 'description', 'mission'] },
      { name: 'contacts', fields: ['phone', 'email', 'address', 'working_hours', 'website'] },
      { name: 'links', fields: ['telegram', 'facebook', 'instagram', 'youtube', 'videourl'] },
      { name: 'apps', fields: ['play_market_link', 'appstore_link'] },
      { name: 'place', fields: ['lat', 'lng'] },
    ],
    aside: ['image', 'gallery'],
  },
  access: openReference,
})
