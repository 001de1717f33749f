-- 0023-pointers: everything that uses a file is counted: pictures of messages become links, names inside texts become mentions.
-- Columns, tables and their indexes of the first part are generated from the model; it was then read by a person.

alter table "chatmessages" add column "file_names" jsonb;
create table "chatmessages_files" (
  "holder_id" integer not null,
  "target_id" integer not null,
  "position" integer not null default 0,
  "inverse_position" integer not null default 0,
  primary key ("holder_id", "target_id")
);
alter table "chatmessages_files" add constraint "chatmessages_files_holder_id_fkey" foreign key ("holder_id") references "chatmessages" on delete cascade;
alter table "chatmessages_files" add constraint "chatmessages_files_target_id_fkey" foreign key ("target_id") references "uploads" on delete cascade;
create index "chatmessages_files_target_id_idx" on "chatmessages_files" ("target_id");

-- The pictures of messages by their stored names, in their order; what a sender called one stays with the message.
create temporary table shown_pictures on commit drop as
select m.id as message, u.id as file, min(a.place)::int as place,
       (array_agg(a.item ->> 'name' order by a.place))[1] as name, u.name as own_name
  from chatmessages m
 cross join lateral jsonb_array_elements(case when jsonb_typeof(m.attachments) = 'array' then m.attachments end) with ordinality as a(item, place)
  join uploads u on u.url = a.item ->> 'url' or u.hash = substring(a.item ->> 'url' from '([0-9a-f]{32})[.][a-z]+$')
 where m.attachments is not null
 group by m.id, u.id;
insert into chatmessages_files (holder_id, target_id, position) select message, file, place from shown_pictures;
update chatmessages m set file_names = n.names
  from (select message, jsonb_object_agg(file::text, left(name, 255)) as names from shown_pictures
         where name <> own_name group by message) n
 where n.message = m.id;
alter table chatmessages drop column attachments;

-- The names of files that were replaced or are in the trash: every address that was ever given goes on leading to its
-- file. There is no reference to the file: its rows outlive it while it is in the trash, then the sweep removes them.
create table upload_addresses (
  hash varchar(255) primary key,
  file_id integer not null,
  ext varchar(255)
);
create index upload_addresses_file_id_idx on upload_addresses (file_id);

-- Files that texts and structures name by an address. The entry is the text row of a field with a value in each
-- language, else the document. Mentions of a file in the trash stay, so that it comes back as used as it was.
create table upload_mentions (
  file_id integer not null,
  resource varchar(63) not null,
  document_id integer not null,
  entry_id integer not null,
  field varchar(63) not null,
  primary key (file_id, resource, entry_id, field)
);
create index upload_mentions_entry_idx on upload_mentions (resource, entry_id);
create index upload_mentions_document_idx on upload_mentions (resource, document_id);

insert into upload_mentions (file_id, resource, document_id, entry_id, field)
select distinct u.id, v.resource, v.document_id, v.entry_id, v.field
  from (
    select 'users' as resource, t.id as document_id, t.id as entry_id, 'username' as field, t."username"::text as value from "users" t union all
    select 'users', t.id, t.id, 'blocked_reason', t."blocked_reason"::text from "users" t union all
    select 'users', t.id, t.id, 'name', t."name"::text from "users" t union all
    select 'users', t.id, t.id, 'middlename', t."middlename"::text from "users" t union all
    select 'users', t.id, t.id, 'surname', t."surname"::text from "users" t union all
    select 'users', t.id, t.id, 'phone', t."phone"::text from "users" t union all
    select 'users', t.id, t.id, 'address', t."address"::text from "users" t union all
    select 'users', t.id, t.id, 'position', t."position"::text from "users" t union all
    select 'users', t.id, t.id, 'about', t."about"::text from "users" t union all
    select 'consultations', t.id, t.id, 'question', t."question"::text from "consultations" t union all
    select 'consultations', t.id, t.id, 'answer', t."answer"::text from "consultations" t union all
    select 'consultations', t.id, t.id, 'finish_reason', t."finish_reason"::text from "consultations" t union all
    select 'chatmessages', t.id, t.id, 'text', t."text"::text from "chatmessages" t union all
    select 'chatmessages', t.id, t.id, 'client_id', t."client_id"::text from "chatmessages" t union all
    select 'statistics', t.id, t.id, 'key', t."key"::text from "statistics" t union all
    select 'statistics', t.id, t.id, 'title', t."title"::text from "statistics" t union all
    select 'statistics', t.id, t.id, 'description', t."description"::text from "statistics" t union all
    select 'courses', t.document_id, t.id, 'title', t."title"::text from "courses_texts" t union all
    select 'courses', t.document_id, t.id, 'description', t."description"::text from "courses_texts" t union all
    select 'courses', t.document_id, t.id, 'videourl', t."videourl"::text from "courses_texts" t union all
    select 'lessons', t.id, t.id, 'video', t."video"::text from "lessons" t union all
    select 'lessons', t.document_id, t.id, 'title', t."title"::text from "lessons_texts" t union all
    select 'lessons', t.document_id, t.id, 'description', t."description"::text from "lessons_texts" t union all
    select 'lessons', t.document_id, t.id, 'content', t."content"::text from "lessons_texts" t union all
    select 'lessons', t.document_id, t.id, 'videourl', t."videourl"::text from "lessons_texts" t union all
    select 'lessons', t.document_id, t.id, 'link', t."link"::text from "lessons_texts" t union all
    select 'lessons', t.document_id, t.id, 'parts', t."parts"::text from "lessons_texts" t union all
    select 'lessongroups', t.document_id, t.id, 'title', t."title"::text from "lessongroups_texts" t union all
    select 'lessongroups', t.document_id, t.id, 'description', t."description"::text from "lessongroups_texts" t union all
    select 'pricedates', t.id, t.id, 'note', t."note"::text from "pricedates" t union all
    select 'pricelists', t.id, t.id, 'currency', t."currency"::text from "pricelists" t union all
    select 'pricelists', t.id, t.id, 'note', t."note"::text from "pricelists" t union all
    select 'tradinposts', t.id, t.id, 'currency', t."currency"::text from "tradinposts" t union all
    select 'tradinposts', t.id, t.id, 'phone', t."phone"::text from "tradinposts" t union all
    select 'tradinposts', t.id, t.id, 'reason', t."reason"::text from "tradinposts" t union all
    select 'tradinposts', t.id, t.id, 'public_note', t."public_note"::text from "tradinposts" t union all
    select 'tradinposts', t.document_id, t.id, 'title', t."title"::text from "tradinposts_texts" t union all
    select 'tradinposts', t.document_id, t.id, 'description', t."description"::text from "tradinposts_texts" t union all
    select 'serviceposts', t.id, t.id, 'link', t."link"::text from "serviceposts" t union all
    select 'serviceposts', t.id, t.id, 'phone', t."phone"::text from "serviceposts" t union all
    select 'serviceposts', t.document_id, t.id, 'title', t."title"::text from "serviceposts_texts" t union all
    select 'serviceposts', t.document_id, t.id, 'description', t."description"::text from "serviceposts_texts" t union all
    select 'serviceposts', t.document_id, t.id, 'content', t."content"::text from "serviceposts_texts" t union all
    select 'tools', t.id, t.id, 'link', t."link"::text from "tools" t union all
    select 'tools', t.id, t.id, 'play_market_link', t."play_market_link"::text from "tools" t union all
    select 'tools', t.id, t.id, 'appstore_link', t."appstore_link"::text from "tools" t union all
    select 'tools', t.id, t.id, 'videourl', t."videourl"::text from "tools" t union all
    select 'tools', t.document_id, t.id, 'title', t."title"::text from "tools_texts" t union all
    select 'tools', t.document_id, t.id, 'description', t."description"::text from "tools_texts" t union all
    select 'tools', t.document_id, t.id, 'content', t."content"::text from "tools_texts" t union all
    select 'companies', t.id, t.id, 'companyName', t."companyName"::text from "companies" t union all
    select 'companies', t.id, t.id, 'shortname', t."shortname"::text from "companies" t union all
    select 'companies', t.id, t.id, 'phone', t."phone"::text from "companies" t union all
    select 'companies', t.id, t.id, 'fax', t."fax"::text from "companies" t union all
    select 'companies', t.id, t.id, 'website', t."website"::text from "companies" t union all
    select 'companies', t.document_id, t.id, 'slogan', t."slogan"::text from "companies_texts" t union all
    select 'companies', t.document_id, t.id, 'shortdescription', t."shortdescription"::text from "companies_texts" t union all
    select 'companies', t.document_id, t.id, 'description', t."description"::text from "companies_texts" t union all
    select 'companies', t.document_id, t.id, 'full_description', t."full_description"::text from "companies_texts" t union all
    select 'companies', t.document_id, t.id, 'address', t."address"::text from "companies_texts" t union all
    select 'news', t.id, t.id, 'link', t."link"::text from "news" t union all
    select 'news', t.id, t.id, 'videourl', t."videourl"::text from "news" t union all
    select 'news', t.document_id, t.id, 'title', t."title"::text from "news_texts" t union all
    select 'news', t.document_id, t.id, 'description', t."description"::text from "news_texts" t union all
    select 'news', t.document_id, t.id, 'content', t."content"::text from "news_texts" t union all
    select 'pages', t.document_id, t.id, 'title', t."title"::text from "pages_texts" t union all
    select 'pages', t.document_id, t.id, 'description', t."description"::text from "pages_texts" t union all
    select 'pages', t.document_id, t.id, 'content', t."content"::text from "pages_texts" t union all
    select 'about', t.id, t.id, 'videourl', t."videourl"::text from "about" t union all
    select 'about', t.id, t.id, 'phone', t."phone"::text from "about" t union all
    select 'about', t.id, t.id, 'website', t."website"::text from "about" t union all
    select 'about', t.id, t.id, 'telegram', t."telegram"::text from "about" t union all
    select 'about', t.id, t.id, 'facebook', t."facebook"::text from "about" t union all
    select 'about', t.id, t.id, 'instagram', t."instagram"::text from "about" t union all
    select 'about', t.id, t.id, 'youtube', t."youtube"::text from "about" t union all
    select 'about', t.id, t.id, 'play_market_link', t."play_market_link"::text from "about" t union all
    select 'about', t.id, t.id, 'appstore_link', t."appstore_link"::text from "about" t union all
    select 'about', t.document_id, t.id, 'title', t."title"::text from "about_texts" t union all
    select 'about', t.document_id, t.id, 'description', t."description"::text from "about_texts" t union all
    select 'about', t.document_id, t.id, 'mission', t."mission"::text from "about_texts" t union all
    select 'about', t.document_id, t.id, 'address', t."address"::text from "about_texts" t union all
    select 'about', t.document_id, t.id, 'working_hours', t."working_hours"::text from "about_texts" t union all
    select 'branches', t.id, t.id, 'phone', t."phone"::text from "branches" t union all
    select 'branches', t.document_id, t.id, 'name', t."name"::text from "branches_texts" t union all
    select 'branches', t.document_id, t.id, 'address', t."address"::text from "branches_texts" t union all
    select 'branches', t.document_id, t.id, 'working_hours', t."working_hours"::text from "branches_texts" t union all
    select 'attachments', t.id, t.id, 'link', t."link"::text from "attachments" t union all
    select 'attachments', t.document_id, t.id, 'name', t."name"::text from "attachments_texts" t union all
    select 'attachments', t.document_id, t.id, 'description', t."description"::text from "attachments_texts" t union all
    select 'partners', t.id, t.id, 'link', t."link"::text from "partners" t union all
    select 'partners', t.document_id, t.id, 'name', t."name"::text from "partners_texts" t union all
    select 'partners', t.document_id, t.id, 'description', t."description"::text from "partners_texts" t union all
    select 'regions', t.id, t.id, 'code', t."code"::text from "regions" t union all
    select 'regions', t.id, t.id, 'iso', t."iso"::text from "regions" t union all
    select 'regions', t.document_id, t.id, 'name', t."name"::text from "regions_texts" t union all
    select 'districts', t.id, t.id, 'code', t."code"::text from "districts" t union all
    select 'districts', t.document_id, t.id, 'name', t."name"::text from "districts_texts" t union all
    select 'servicecategories', t.document_id, t.id, 'name', t."name"::text from "servicecategories_texts" t union all
    select 'servicecategories', t.document_id, t.id, 'description', t."description"::text from "servicecategories_texts" t union all
    select 'productcategories', t.document_id, t.id, 'name', t."name"::text from "productcategories_texts" t union all
    select 'productcategories', t.document_id, t.id, 'description', t."description"::text from "productcategories_texts" t union all
    select 'products', t.id, t.id, 'aliases', t."aliases"::text from "products" t union all
    select 'products', t.document_id, t.id, 'name', t."name"::text from "products_texts" t union all
    select 'products', t.document_id, t.id, 'description', t."description"::text from "products_texts" t union all
    select 'units', t.id, t.id, 'name', t."name"::text from "units" t union all
    select 'units', t.id, t.id, 'short', t."short"::text from "units" t union all
    select 'companycategories', t.document_id, t.id, 'name', t."name"::text from "companycategories_texts" t union all
    select 'directions', t.id, t.id, 'name', t."name"::text from "directions" t union all
    select 'activitytypes', t.document_id, t.id, 'name', t."name"::text from "activitytypes_texts" t union all
    select 'activitytypes', t.document_id, t.id, 'description', t."description"::text from "activitytypes_texts" t union all
    select 'agrocultureareas', t.document_id, t.id, 'name', t."name"::text from "agrocultureareas_texts" t union all
    select 'agrocultureareas', t.document_id, t.id, 'description', t."description"::text from "agrocultureareas_texts" t union all
    select 'tradingpostcategories', t.document_id, t.id, 'name', t."name"::text from "tradingpostcategories_texts" t union all
    select 'tradingposttypes', t.id, t.id, 'name', t."name"::text from "tradingposttypes" t union all
    select 'consultantcategories', t.document_id, t.id, 'name', t."name"::text from "consultantcategories_texts" t union all
    select 'consultantcategories', t.document_id, t.id, 'description', t."description"::text from "consultantcategories_texts" t union all
    select 'consultationcategories', t.document_id, t.id, 'name', t."name"::text from "consultationcategories_texts" t union all
    select 'consultationcategories', t.document_id, t.id, 'description', t."description"::text from "consultationcategories_texts" t union all
    select 'faqs', t.document_id, t.id, 'question', t."question"::text from "faqs_texts" t union all
    select 'faqs', t.document_id, t.id, 'answer', t."answer"::text from "faqs_texts" t union all
    select 'replytemplates', t.document_id, t.id, 'title', t."title"::text from "replytemplates_texts" t union all
    select 'replytemplates', t.document_id, t.id, 'text', t."text"::text from "replytemplates_texts" t union all
    select 'coursecategories', t.document_id, t.id, 'name', t."name"::text from "coursecategories_texts" t union all
    select 'coursecategories', t.document_id, t.id, 'description', t."description"::text from "coursecategories_texts" t union all
    select 'coursetypes', t.document_id, t.id, 'name', t."name"::text from "coursetypes_texts" t union all
    select 'sliders', t.id, t.id, 'link', t."link"::text from "sliders" t union all
    select 'sliders', t.document_id, t.id, 'title', t."title"::text from "sliders_texts" t union all
    select 'sliders', t.document_id, t.id, 'description', t."description"::text from "sliders_texts" t union all
    select 'sliders', t.document_id, t.id, 'button_text', t."button_text"::text from "sliders_texts" t union all
    select 'genders', t.id, t.id, 'name', t."name"::text from "genders" t union all
    select 'genders', t.id, t.id, 'code', t."code"::text from "genders" t union all
    select 'statuses', t.id, t.id, 'name', t."name"::text from "statuses" t union all
    select 'statuses', t.id, t.id, 'code', t."code"::text from "statuses" t union all
    select 'tags', t.document_id, t.id, 'name', t."name"::text from "tags_texts" t union all
    select 'additionalinfos', t.id, t.id, 'key', t."key"::text from "additionalinfos" t union all
    select 'additionalinfos', t.id, t.id, 'link', t."link"::text from "additionalinfos" t union all
    select 'additionalinfos', t.document_id, t.id, 'title', t."title"::text from "additionalinfos_texts" t union all
    select 'additionalinfos', t.document_id, t.id, 'description', t."description"::text from "additionalinfos_texts" t union all
    select 'roles', t.id, t.id, 'name', t."name"::text from "roles" t union all
    select 'roles', t.id, t.id, 'description', t."description"::text from "roles" t union all
    select 'uploads', t.id, t.id, 'name', t."name"::text from "uploads" t union all
    select 'uploads', t.id, t.id, 'alternativeText', t."alternativeText"::text from "uploads" t union all
    select 'uploads', t.id, t.id, 'caption', t."caption"::text from "uploads" t union all
    select 'uploads', t.id, t.id, 'alt', t."alt"::text from "uploads" t union all
    select 'uploads', t.id, t.id, 'captions', t."captions"::text from "uploads" t union all
    select 'uploads', t.id, t.id, 'folder', t."folder"::text from "uploads" t union all
    select 'uploads', t.id, t.id, 'focal', t."focal"::text from "uploads" t union all
    select 'insert_excel', t.id, t.id, 'mapping', t."mapping"::text from "insert_excel" t union all
    select 'listviews', t.id, t.id, 'name', t."name"::text from "listviews" t union all
    select 'listviews', t.id, t.id, 'screen', t."screen"::text from "listviews" t union all
    select 'listviews', t.id, t.id, 'state', t."state"::text from "listviews" t
  ) v
 cross join lateral regexp_matches(v.value, '(?<![0-9a-f])([0-9a-f]{32})[.](?:jpg|png|webp|gif)(?![0-9a-z])', 'g') as named(hash)
  join uploads u on u.hash = named.hash[1]
 where v.value like '%.%' and not (v.resource = 'uploads' and v.document_id = u.id);
