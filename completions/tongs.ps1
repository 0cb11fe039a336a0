# PowerShell completion for tongs. To use it: tongs completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName tongs -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    # Windows PowerShell and PowerShell before 7.3 drop empty arguments and unescaped quotes.
    $Legacy = $PSVersionTable.PSVersion -lt [version]'7.3'
    $Words = @($CommandAst.CommandElements | Select-Object -Skip 1 |
            Where-Object { $_.Extent.StartOffset -lt $CursorPosition } |
            ForEach-Object { if ($null -ne $_.Value) { [string]$_.Value } else { $_.Extent.Text } })
    if ($WordToComplete -eq '') { $Words += '' }
    if ($Legacy) {
        $Words = @($Words | ForEach-Object { if ($_ -eq '') { '""' } else { $_ -replace '(\\*)"', '$1$1\"' } })
    }

    $Lines = @(& tongs __complete @Words 2>$null)
    if ($Lines.Count -eq 0 -or $Lines[-1] -notmatch '^:(\d+)$') { return }
    $Directive = [int]$Matches[1]
    if ($Lines.Count -eq 1) {
        # PowerShell completes paths if the script returns nothing.
        if ($Directive -band 4) { '' }
        return
    }
    foreach ($Line in $Lines[0..($Lines.Count - 2)]) {
        $Word, $Title = $Line -split "`t", 2
        if ([string]::IsNullOrWhiteSpace($Title)) { $Title = $Word }
        $Text = $Word
        # Nothing in single quotes is expanded; PowerShell reads four characters as single quotes.
        if ($Word -notmatch '^[A-Za-z0-9_./:=+%-]+$') {
            $Text = "'" + ($Word -replace "(['\u2018\u2019\u201a\u201b])", '$1$1') + "'"
        }
        if (-not ($Directive -band 2)) { $Text += ' ' }
        [System.Management.Automation.CompletionResult]::new($Text, $Word, 'ParameterValue', $Title)
    }
}
