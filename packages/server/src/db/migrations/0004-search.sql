-- 0004-search: what `_q` looks through, in plain Latin letters, with an index of its groups of three letters.

create extension if not exists pg_trgm;

-- The same table as the model's searchKey (packages/model/src/fold.ts), its letters in the order of their frequency.
create or replace function search_key(value text) returns text language sql immutable strict parallel safe
  return replace(replace(replace(replace(replace(translate(value, U&' aаieоnиoеrнtтlрsслdmвuкмkhдgпbуyя.,ʻzыvpбqь<>/йзгxчjхfcжwшю-цщэф0123456789"=:;()\000aáàâãäåәçёéèêëєǵғґğҳһıíìîïіїńңñóòôõöøўөқşúùûüұүýABCDEFGHIJKLMNOPQRSTUVWXYZÁǴÍŃÓÚİÀÂÃÄÅÆÇÈÉÊËÌÎÏÑÒÔÕÖØÙÛÜÝÞĞŞАБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҮЎҲҰҺІЇЄҐ''‘’`ʼ´ъ\0301\001f', U&' aaieonioernttlrssldmvukmkhdgpbuyя.,\001fzivpbq\001f<>/yzgxчjxfcjwшю-sшef0123456789"=:;()\000aaaaaaaaceeeeeegggghhiiiiiiinnnooooooooqsuuuuuuyabcdefghijklmnopqrstuvwxyzaginouiaaaaaæceeeeiiinooooouuuyþgsabvgdeejziyklmnoprstufxsчшш\001fi\001feюяagqnouohuhiieg\001f\001f\001f\001f\001f\001f\001f\001f\001f'), 'ш', 'sh'), 'ч', 'ch'), 'ю', 'yu'), 'я', 'ya'), U&'\001f', '');

alter table "about" add column "search" text generated always as (coalesce(search_key("videourl"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("email"), '') || E'\x1f' || coalesce(search_key("website"), '') || E'\x1f' || coalesce(search_key("telegram"), '') || E'\x1f' || coalesce(search_key("facebook"), '') || E'\x1f' || coalesce(search_key("instagram"), '') || E'\x1f' || coalesce(search_key("youtube"), '') || E'\x1f' || coalesce(search_key("play_market_link"), '') || E'\x1f' || coalesce(search_key("appstore_link"), '')) stored;
alter table "about_texts" add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("mission"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("working_hours"), '')) stored;
alter table "agrocultureareas" add column "search" text generated always as (coalesce(search_key("slug"), '')) stored;
alter table "agrocultureareas_texts" add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '')) stored;
alter table "districts" add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("type"), '')) stored;
alter table "districts_texts" add column "search" text generated always as (coalesce(search_key("name"), '')) stored;
alter table "faqs_texts" add column "search" text generated always as (coalesce(search_key("question"), '') || E'\x1f' || coalesce(search_key("answer"), '')) stored;
alter table "genders" add column "search" text generated always as (coalesce(search_key("code"), '')) stored;
alter table "news" add column "search" text generated always as (coalesce(search_key("link"), '') || E'\x1f' || coalesce(search_key("videourl"), '') || E'\x1f' || coalesce(search_key("kind"), '')) stored;
alter table "news_texts" add column "search" text generated always as (coalesce(search_key("title"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("content"), '')) stored;
alter table "regions" add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("iso"), '') || E'\x1f' || coalesce(search_key("type"), '')) stored;
alter table "regions_texts" add column "search" text generated always as (coalesce(search_key("name"), '')) stored;
alter table "roles" add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("description"), '') || E'\x1f' || coalesce(search_key("type"), '')) stored;
alter table "tags" add column "search" text generated always as (coalesce(search_key("color"), '')) stored;
alter table "tags_texts" add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("slug"), '')) stored;
alter table "units" add column "search" text generated always as (coalesce(search_key("code"), '') || E'\x1f' || coalesce(search_key("kind"), '')) stored;
alter table "uploads" add column "search" text generated always as (coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("alternativeText"), '') || E'\x1f' || coalesce(search_key("caption"), '') || E'\x1f' || coalesce(search_key("folder"), '') || E'\x1f' || coalesce(search_key("hash"), '') || E'\x1f' || coalesce(search_key("ext"), '') || E'\x1f' || coalesce(search_key("mime"), '') || E'\x1f' || coalesce(search_key("url"), '') || E'\x1f' || coalesce(search_key("previewUrl"), '') || E'\x1f' || coalesce(search_key("provider"), '')) stored;
alter table "users" add column "search" text generated always as (coalesce(search_key("username"), '') || E'\x1f' || coalesce(search_key("email"), '') || E'\x1f' || coalesce(search_key("provider"), '') || E'\x1f' || coalesce(search_key("name"), '') || E'\x1f' || coalesce(search_key("middlename"), '') || E'\x1f' || coalesce(search_key("surname"), '') || E'\x1f' || coalesce(search_key("phone"), '') || E'\x1f' || coalesce(search_key("address"), '') || E'\x1f' || coalesce(search_key("language"), '') || E'\x1f' || coalesce(search_key("position"), '') || E'\x1f' || coalesce(search_key("about"), '')) stored;
create index "about_search_idx" on "about" using gin ("search" gin_trgm_ops);
create index "about_texts_search_idx" on "about_texts" using gin ("search" gin_trgm_ops);
create index "agrocultureareas_search_idx" on "agrocultureareas" using gin ("search" gin_trgm_ops);
create index "agrocultureareas_texts_search_idx" on "agrocultureareas_texts" using gin ("search" gin_trgm_ops);
create index "districts_search_idx" on "districts" using gin ("search" gin_trgm_ops);
create index "districts_texts_search_idx" on "districts_texts" using gin ("search" gin_trgm_ops);
create index "faqs_texts_search_idx" on "faqs_texts" using gin ("search" gin_trgm_ops);
create index "genders_search_idx" on "genders" using gin ("search" gin_trgm_ops);
create index "news_search_idx" on "news" using gin ("search" gin_trgm_ops);
create index "news_texts_search_idx" on "news_texts" using gin ("search" gin_trgm_ops);
create index "regions_search_idx" on "regions" using gin ("search" gin_trgm_ops);
create index "regions_texts_search_idx" on "regions_texts" using gin ("search" gin_trgm_ops);
create index "roles_search_idx" on "roles" using gin ("search" gin_trgm_ops);
create index "tags_search_idx" on "tags" using gin ("search" gin_trgm_ops);
create index "tags_texts_search_idx" on "tags_texts" using gin ("search" gin_trgm_ops);
create index "units_search_idx" on "units" using gin ("search" gin_trgm_ops);
create index "uploads_search_idx" on "uploads" using gin ("search" gin_trgm_ops);
create index "users_search_idx" on "users" using gin ("search" gin_trgm_ops);
