/** A picture that fills its box: the smallest file that is sharp in it, cropped around its focal point. */
import { cx } from '../../lib/class-names.ts'
import { pictureOf } from './picture.ts'
import { isUpload } from './picture-value.ts'
import { DrawableFiles } from '../upload/private-file.tsx'

interface CoverProps {
  /** Record of the picture that fills the box. */
  file: unknown
  /** Width of the picture in CSS pixels on the page. */
  width: number
  /** Alternative text of the picture; empty where the name is shown beside it. */
  alt?: string
  className: string
}

export function CoverPicture({ file, ...imageProps }: CoverProps) {
  return <DrawableFiles files={[file]}>{([drawable]) => <CoverImage file={drawable} {...imageProps} />}</DrawableFiles>
}

function CoverImage({ file, width, alt = '', className }: CoverProps) {
  const picture = pictureOf(file)
  // The signed address of a private picture is loading; its space stays reserved.
  if (!picture) return isUpload(file) && file['private'] === true ? <span className={cx('block', className)} /> : null
  const { src, srcSet, position } = picture
  return (
    <img
      src={src}
      {...(srcSet && { srcSet, sizes: `${width}px` })}
      alt={alt}
      loading="lazy"
      style={{ objectPosition: position }}
      className={cx('object-cover', className)}
    />
  )
}
