# PowerShell completion for tongs, made from its command table by: npm run generate
# Use it with: tongs completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName tongs -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $Steps = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Steps[' pr'] = 'pr'
    $Steps[' sandbox'] = 'sandbox'
    $Steps[' completion'] = 'completion'
    $Steps[' schema'] = 'schema'
    $Steps[' version'] = 'version'
    $Steps['pr list'] = 'pr list'
    $Steps['pr ls'] = 'pr list'
    $Steps['pr view'] = 'pr view'
    $Usual = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Verbs = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Verbs[''] = @("pr`tWork on pull requests", "sandbox`tRun a small forge of your own, to try things on", "completion`tPrint the completion script of a shell", "schema`tDescribe commands for machines, as JSON", "version`tShow the version of tongs")
    $Verbs['pr'] = @("list`tList pull requests", "view`tShow a pull request")
    $Anywhere = @("-R`tthe repository: OWNER/NAME, HOST/OWNER/NAME or a URL", "--repo`tthe repository: OWNER/NAME, HOST/OWNER/NAME or a URL", "--profile`tthe stored profile", "--host`tthe server's address", "--json`tprint the whole record as JSON, or only these fields", "--jsonl`tprint one JSON record a line, as they arrive", "--csv`tprint CSV", "--jq`tfilter the JSON with a jq expression", "--limit`tlists: at most this many (30)", "--all`tlists: every page", "--dry-run`tprint the first write instead of sending it", "-y`tanswer yes to confirmations", "--yes`tanswer yes to confirmations", "--no-input`tnever prompt", "-q`tno notes on stderr", "--quiet`tno notes on stderr", "--debug`tprint every exchange on stderr, secrets masked", "--color`twhen to colour", "--timeout`ttime for one answer to begin (30; 0 waits for ever)", "-h`thelp for any noun or verb", "--help`thelp for any noun or verb", "--version`tthe version")
    $Flags = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Flags['pr list'] = @("--state`tin which state", "--base`tinto this branch")
    $Flags['pr view'] = @("--comments`tshow the comments, too", "--web`topen it in the browser")
    $Flags['sandbox'] = @("--port`tthe port to listen on; 0 picks a free one (3030)", "--dir`tkeep repositories and state in this folder, and go on from there", "--empty`tno demonstration project: only the administrator")
    $Values = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Values['-R'] = @()
    $Values['--repo'] = @()
    $Values['--profile'] = @()
    $Values['--host'] = @()
    $Values['--jq'] = @()
    $Values['--limit'] = @()
    $Values['--color'] = @('auto', 'always', 'never')
    $Values['--timeout'] = @()
    $Values['pr list --state'] = @('open', 'closed', 'merged', 'all')
    $Values['pr list --base'] = @()
    $Values['sandbox --port'] = @()
    $Values['sandbox --dir'] = @()
    $Arguments = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Arguments['completion 0'] = @('bash', 'zsh', 'fish', 'powershell')
    $Fields = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Fields['pr list'] = @('id', 'url', 'number', 'user', 'title', 'body', 'labels', 'milestone', 'assignee', 'assignees', 'requested_reviewers', 'requested_reviewers_teams', 'state', 'draft', 'is_locked', 'comments', 'review_comments', 'additions', 'deletions', 'changed_files', 'html_url', 'diff_url', 'patch_url', 'mergeable', 'merged', 'merged_at', 'merge_commit_sha', 'merged_by', 'allow_maintainer_edit', 'base', 'head', 'merge_base', 'due_date', 'created_at', 'updated_at', 'closed_at', 'pin_order', 'content_version')
    $Fields['pr view'] = @('id', 'url', 'number', 'user', 'title', 'body', 'labels', 'milestone', 'assignee', 'assignees', 'requested_reviewers', 'requested_reviewers_teams', 'state', 'draft', 'is_locked', 'comments', 'review_comments', 'additions', 'deletions', 'changed_files', 'html_url', 'diff_url', 'patch_url', 'mergeable', 'merged', 'merged_at', 'merge_commit_sha', 'merged_by', 'allow_maintainer_edit', 'base', 'head', 'merge_base', 'due_date', 'created_at', 'updated_at', 'closed_at', 'pin_order', 'content_version')
    $Fields['sandbox'] = @('url', 'users')
    $Fields['schema'] = @('version', 'global_flags', 'exit_codes', 'environment', 'commands')
    $Fields['version'] = @('version')

    $Words = @($CommandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $CursorPosition } | ForEach-Object { $_.ToString() })
    $Path = ''
    $Flag = ''
    $Help = $false
    $Count = 0
    foreach ($Word in $Words) {
        if ($Flag) { $Flag = '' }
        elseif ($Word -match '^-.*=') { }
        elseif ($Word -match '^-.') {
            if ($Values.ContainsKey($Word) -or $Values.ContainsKey("$Path $Word")) { $Flag = $Word }
        }
        elseif ($Path -eq '' -and $Word -eq 'help') { $Help = $true }
        elseif ($Steps.ContainsKey("$Path $Word")) { $Path = $Steps["$Path $Word"] }
        else {
            if ($Usual.ContainsKey($Path)) { $Path = $Usual[$Path] }
            $Count++
        }
    }

    $Current = $WordToComplete
    $Before = ''
    if (-not $Flag -and $Current -match '^(--[^=]+)=(.*)$') {
        $Flag = $Matches[1]
        $Current = $Matches[2]
        $Before = "$Flag="
    }
    $AfterJson = $Words.Count -gt 0 -and $Words[-1] -eq '--json' -and $Current -notmatch '^-'
    if (($Flag -eq '--json' -or (-not $Flag -and $AfterJson)) -and $Fields.ContainsKey($Path)) {
        if ($Current -match '^(.*,)([^,]*)$') {
            $Before += $Matches[1]
            $Current = $Matches[2]
        }
        $Found = $Fields[$Path]
    }
    elseif ($Flag) {
        $Found = if ($Values.ContainsKey($Flag)) { $Values[$Flag] } else { $Values["$Path $Flag"] }
    }
    elseif ($Current -match '^-') { $Found = @($Anywhere) + @($Flags[$Path]) }
    elseif ($Verbs.ContainsKey($Path)) {
        $Found = if ($Count -eq 0) { @($Verbs[$Path]) } else { @() }
        if ($Help -and $Path -eq '') { $Found += @('exit-codes', 'environment', 'json') }
    }
    else { $Found = $Arguments["$Path $Count"] }

    foreach ($Item in @($Found)) {
        if (-not $Item) { continue }
        $Name, $Text = $Item -split "`t", 2
        if (-not $Name.StartsWith($Current)) { continue }
        if (-not $Text) { $Text = $Name }
        [System.Management.Automation.CompletionResult]::new("$Before$Name", $Name, 'ParameterValue', $Text)
    }
}
