-- 0022-private-files: files behind fields with limited readers are private (contract, section 10).

alter table "uploads" add column "private" boolean not null default false;

-- The papers of companies as they are linked now and as they were linked before, and the files they were cut from.
-- A file that everybody is shown besides stays as it is: its address is known already.
with recursive papers(id) as (
    select patent_id from companies where patent_id is not null
    union select passport_id from companies where passport_id is not null
    union select former.id::integer
      from revisions r
        cross join lateral (values (r.changes -> 'patent'), (r.changes -> 'passport')) as field(change)
        cross join lateral (values (field.change -> 'before'), (field.change -> 'after')) as side(value)
        cross join lateral jsonb_array_elements_text(
          case jsonb_typeof(side.value) when 'array' then side.value when 'number' then jsonb_build_array(side.value) else '[]' end) as former(id)
      where r.resource = 'companies' and (r.changes ? 'patent' or r.changes ? 'passport')
    union select u.original_id from uploads u join papers on papers.id = u.id where u.original_id is not null
  ), shown as materialized (
      select "avatar_id" as id from "users"
      union all
      select "image_id" as id from "consultations"
      union all
      select "image_id" as id from "courses"
      union all
      select "mainPhoto_id" as id from "tradinposts"
      union all
      select "image_id" as id from "serviceposts"
      union all
      select "image_id" as id from "tools"
      union all
      select "logo_id" as id from "companies"
      union all
      select "image_id" as id from "news"
      union all
      select "image_id" as id from "pages"
      union all
      select "image_id" as id from "about"
      union all
      select "image_id" as id from "branches"
      union all
      select "file_id" as id from "attachments"
      union all
      select "image_id" as id from "partners"
      union all
      select "image_id" as id from "servicecategories"
      union all
      select "image_id" as id from "productcategories"
      union all
      select "mainPhoto_id" as id from "products"
      union all
      select "image_id" as id from "companycategories"
      union all
      select "image_id" as id from "agrocultureareas"
      union all
      select "image_id" as id from "tradingpostcategories"
      union all
      select "image_id" as id from "consultantcategories"
      union all
      select "image_id" as id from "consultationcategories"
      union all
      select "image_id" as id from "coursecategories"
      union all
      select "image_id" as id from "sliders"
      union all
      select "image_id" as id from "additionalinfos"
      union all
      select "target_id" as id from "consultations_attachments"
      union all
      select "target_id" as id from "tradinposts_images"
      union all
      select "target_id" as id from "serviceposts_attachments"
      union all
      select "target_id" as id from "news_gallery"
      union all
      select "target_id" as id from "about_gallery"
      union all
      select "target_id" as id from "products_gallery"
  )
update uploads u set "private" = true
  where u.id in (select id from papers)
    and not exists (select 1 from shown where shown.id = u.id)
    and not exists (select 1 from chatmessages m where m.attachments is not null and m.attachments::text like '%' || u.hash || '%');
