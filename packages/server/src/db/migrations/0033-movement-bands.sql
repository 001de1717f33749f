-- The limits from which a price of a category counts as moving and as sharp.

alter table "productcategories" add column "moving_from" numeric(5,2), add column "sharp_from" numeric(5,2);
alter table "productcategories" add constraint "productcategories_moving_from_check" check ("moving_from" > 0 and "moving_from" <= 500);
alter table "productcategories" add constraint "productcategories_sharp_from_check" check ("sharp_from" > 0 and "sharp_from" <= 500);
