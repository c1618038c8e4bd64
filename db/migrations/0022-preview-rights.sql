-- Returns whether an editor may still see the drafts of a program with a preview pass: by the role and programs of now.
-- Before, an operator who was moved to other programs, or to support, kept the pass until it expired. Processes of the
-- version before still call is_preview_pass_valid during an update.
create function may_preview(editor text, program text, issued timestamptz) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from console.operators o
    where lower(o.email) = lower(editor) and o.disabled_at is null and issued > o.preview_passes_valid_from
      and o.role = any(array['admin', 'editor']) and (o.partners is null or program = any(o.partners)))
$$;
revoke execute on function may_preview from public;
grant execute on function may_preview to dineback_app;
